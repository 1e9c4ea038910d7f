// Evaluates formulas by muParser: the first line of standard input says how often, with other values of the variables a, b
// and c each time; the others are formulas. Prints a sum for each, in which there are also errors of formulas cut short.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "muParser.h"

static double mix(double a, double b, double share)
{
    return a + (b - a) * share;
}

static double half(double a)
{
    return a / 2;
}

static double modulo(double a, double b)
{
    return a - b * static_cast<double>(static_cast<long>(a / b));
}

static double thousand(double a)
{
    return a * 1000;
}

static double thousandth(double a)
{
    return a / 1000;
}

int main()
{
    mu::Parser parser;
    double a, b, c, d = 0;
    std::string line;
    long times;

    if (!std::getline(std::cin, line) ||
        (times = std::strtol(line.c_str(), nullptr, 10)) <= 0)
        return 2;
    parser.DefineVar("a", &a);
    parser.DefineVar("b", &b);
    parser.DefineVar("c", &c);
    parser.DefineVar("d", &d);
    parser.DefineFun("mix", mix);
    parser.DefineFun("half", half);
    parser.DefineOprt("%", modulo, mu::prMUL_DIV);
    parser.DefinePostfixOprt("{k}", thousand);
    parser.DefinePostfixOprt("{m}", thousandth);
    while (std::getline(std::cin, line)) {
        double sum = 0;

        for (size_t cut = 1; cut < line.size(); cut += 5) {
            try {
                parser.SetExpr(line.substr(0, cut));
                a = 1, b = 2, c = 3;
                sum += parser.Eval();
            } catch (const mu::Parser::exception_type &error) {
                sum += error.GetCode() + static_cast<double>(error.GetPos());
            }
        }
        parser.SetExpr(line);
        for (long i = 0; i < times; i++) {
            a = static_cast<double>(i % 101);
            b = static_cast<double>(i % 37) / 4;
            c = static_cast<double>(i % 53) + 0.5;
            sum += parser.Eval();
        }
        printf("%.12g %s\n", sum, line.c_str());
    }
    return 0;
}
