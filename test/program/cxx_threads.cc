// flags: -pthread
// modes: O1 code
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

struct Local {
    int n = 0;
    ~Local()
    {
        if (n > 5)
            n = 0;
    }
};

static thread_local Local local;
static std::atomic<int> total;

static void work(int n)
{
    for (int i = 0; i < n; i++) {
        try {
            if (i % 4 == 3)
                throw i;
            total += i;
        } catch (int x) {
            local.n += x;
        }
    }
    total += local.n;
}

int main()
{
    std::vector<std::thread> threads;

    for (int i = 0; i < 6; i++)
        threads.emplace_back(work, i * 3);
    for (auto &t : threads)
        t.join();
    std::printf("%d\n", total.load());
    return 0;
}
