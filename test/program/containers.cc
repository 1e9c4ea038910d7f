// flags: -std=c++17
// modes: code
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

// The standard library's templates become functions of the program. Not std::string: the library
// has its functions too, and which ones run is up to the inliner.

static std::u16string word(unsigned n)
{
    std::u16string s;

    do
        s += char16_t('a' + n % 26);
    while (n /= 26);
    return s;
}

int main()
{
    std::vector<int> v;
    std::map<std::u16string, int> count;
    unsigned x = 12345;

    for (int i = 0; i < 25; i++) {
        x = x * 1103515245 + 12345;
        v.push_back(int(x >> 16) % 50);
        count[word(x >> 20 & 63)]++;
    }
    std::sort(v.begin(), v.end(),
        [](int a, int b) { return a % 10 < b % 10 || (a % 10 == b % 10 && a < b); });
    v.erase(std::unique(v.begin(), v.end()), v.end());
    for (int n : v)
        std::printf("%d ", n);
    for (const auto &[name, n] : count)
        if (n > 1)
            std::printf("%c%d:%d ", char(name[0]), int(name.size()), n);
    std::puts("");
    try {
        count.at(u"none");
    } catch (const std::exception &) {
        std::puts("none");
    }
    return 0;
}
