#!/bin/sh
# Reports print demangled names of C++ functions. Options accept demangled and mangled names. Files that trod reads back
# have mangled names.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

[ "$TROD_CONFIG" = release ] || skip_all "it takes the plugin"
cat >shop.cc <<'END'
#include <cstdlib>
namespace shop {
struct cart {
    int price(int n) const;
    template <class T> int total(T n) const;
};
__attribute__((noinline)) int cart::price(int n) const
{
    if (n < 0)
        return 0;
    return n > 10 ? n * 9 : n * 10;
}
template <class T> __attribute__((noinline)) int cart::total(T n) const
{
    int sum = 0;

    for (T i = 0; i < n; i++)
        sum += price(static_cast<int>(i));
    return sum;
}
}
extern "C" __attribute__((noinline)) int plain_c(int n)
{
    if (n > 100)
        return 1;
    return 0;
}
int main(int argc, char **argv)
{
    shop::cart c;

    return c.total<long>(argc > 1 ? atoi(argv[1]) : 20) + plain_c(argc) < 0;
}
END
price=_ZNK4shop4cart5priceEi
trod c++ -O2 -g -o shop shop.cc
TROD_OUT=one.trod ./shop
TROD_OUT=two.trod ./shop 5
TROD_OUT=none.trod ./shop 0

report=$(trod report --brief one.trod)
like "$report" ' shop::cart::price\(int\) const =[0-9]+  entry 9:F' "a method, with its namespace and parameters"
like "$report" ' int shop::cart::total<long>\(long\) const =' "what a template was made for"
like "$report" ' plain_c =' "a function of C as it is"
unlike "$report" _ZN "no name of the linker's"
is "$(trod report --brief --function='shop::*price*' one.trod)" "$(trod report --brief --function=$price one.trod)" "chosen by either name"
like "$(trod report --brief --function='shop::cart::price(int) const' one.trod)" '^# [1-9].* were chosen' "a whole name is a pattern, too"
json=$(trod report --json one.trod)
like "$json" "\"function\": *\"$price\"" "JSON has the linker's name"
like "$json" '"demangled": *"shop::cart::price\(int\) const"' "and the other beside it"
is "$(trod report --json --function=plain_c one.trod | grep -c told)" 0 "where there is another"

like "$(trod report --brief --group=function --sort=function one.trod)" 'shop::cart::price\(int\) const  ' "grouped by function"
like "$(trod diff --brief one.trod two.trod)" 'shop::cart::price\(int\) const' "a difference"
like "$(trod coverage one.trod)" ' shop::cart::price  shop\.cc:7$' "coverage"
like "$(trod coverage --brief --missing=5 one.trod)" 'shop::cart::price\(int\) const =' "what is missing"
like "$(trod coverage --json one.trod)" '"demangled": *"shop::cart::price' "coverage as JSON"
like "$(trod untested --brief --tested=none.trod one.trod)" 'shop::cart::price\(int\) const =' "what is untested"
like "$(trod untested --json --tested=none.trod one.trod)" '"demangled": *"shop::cart::price' "the same as JSON"
like "$(trod overlap one.trod two.trod)" 'shop::cart::' "what two profiles have in common"

# --- read back ----------------------------------------------------------------------------

trod report --brief --list one.trod >one.list
like "$(cat one.list)" "$price" "a list has the linker's name"
ok "and is read back" trod set list one.list
is "$(trod set list --function='shop::cart::price*' one.list)" "$(trod set list --function=$price one.list)" "and chosen from by either"

# --- activations that did not finish ------------------------------------------------------

cat >left.cc <<'END'
#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>
template <class A, class B> __attribute__((noinline)) void leave(const A &a, const B &b)
{
    std::vector<int> v(10, static_cast<int>(a.size() + b.size()));

    std::for_each(v.begin(), v.end(), [](int n) { if (n) exit(0); });
}
int main()
{
    std::map<std::string, std::map<std::string, std::vector<std::string>>> a;
    std::map<std::string, std::map<std::string, std::map<std::string, std::string>>> b;

    a["x"]["y"];
    leave(a, b);
}
END
trod c++ -O1 -g -o left left.cc
TROD_OUT=left.trod ./left
left=$(trod report --brief left.trod | grep -A 1 '^# .*did not')
like "$left" '^# 1 activation of leave<...> did not finish' "by short names"
unlike "$left" 'std::' "without those of system headers"
like "$left" '^# activations of [0-9]+ functions? of system headers and libraries did not$' "whose number is there"
like "$(trod report --brief --all-code left.trod)" '^# 1 activation of std::for_each<...> did not finish' "and which --all-code lists"

# --- other profiles -----------------------------------------------------------------------

TROD_BURST=trigger=always
export TROD_BURST
trod c++ --burst -O2 -g -o bursts shop.cc
TROD_OUT=bursts.trod ./bursts
like "$(trod sample functions bursts.trod)" ' shop::cart::price\(int\) const  ' "methods"
like "$(trod sample calls bursts.trod)" 'cart::total<long>\(long\) const .* -> shop::cart::price\(int\) const' "calls, at both ends"
like "$(trod sample calls --json bursts.trod)" '"callee_demangled": *"shop::cart::price' "calls as JSON"
like "$(trod sample calls --graph --dot bursts.trod)" 'label="shop::cart::price\(int\) const' "calls, drawn"
like "$(trod sample loops bursts.trod)" 'cart::total<long>\(long\) const loop' "loops"
unset TROD_BURST
trod c++ --online -O2 -g -o online shop.cc
TROD_OUT=online.trod TROD_ONLINE=f=2 ./online 2000
like "$(trod sample subpaths online.trod)" 'shop::cart::' "subpaths"
trod c++ --wpp -O2 -g -o steps shop.cc
TROD_OUT=steps.trod ./steps
like "$(trod calls segments --names steps.trod)" 'shop::cart::price\(int\) const  entry' "segments"
like "$(trod calls segments --names steps.trod)" 'calls shop::cart::price\(int\) const' "calls on a path"
like "$(trod calls steps --hot steps.trod)" 'shop::cart::' "what a thread did most"
like "$(trod calls segments steps.trod)" "$price" "segments that are read back have the linker's names"
done_testing
