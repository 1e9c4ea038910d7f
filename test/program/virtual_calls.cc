// modes: O1 O3 code lto
#include <cstdio>
#include <memory>
#include <vector>

struct Shape {
    virtual ~Shape()
    {
    }
    virtual int area() const = 0;
    virtual bool fits(int n) const
    {
        return area() < n;
    }
};

struct Square : Shape {
    int a;
    explicit Square(int a) : a(a)
    {
    }
    int area() const override
    {
        return a * a;
    }
};

struct Named {
    virtual const char *name() const
    {
        return "?";
    }
    virtual ~Named()
    {
    }
};

struct Staircase : Named, Shape { // thunks
    int steps;
    explicit Staircase(int steps) : steps(steps)
    {
    }
    int area() const override
    {
        int sum = 0;

        for (int i = 1; i <= steps; i++)
            sum += i;
        return sum;
    }
    bool fits(int n) const override
    {
        return steps > 3 ? false : Shape::fits(n);
    }
    const char *name() const override
    {
        return steps > 2 ? "stairs" : "step";
    }
};

int main()
{
    std::vector<std::unique_ptr<Shape>> all;

    for (int i = 0; i < 6; i++) {
        if (i & 1)
            all.emplace_back(new Square(i));
        else
            all.emplace_back(new Staircase(i));
    }
    for (const auto &shape : all) {
        auto *named = dynamic_cast<const Named *>(shape.get());

        std::printf(
            "%d %d %s\n", shape->area(), shape->fits(7), named ? named->name() : "-");
    }
    return 0;
}
