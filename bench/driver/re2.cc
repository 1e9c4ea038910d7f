// Regular expressions over a text, line by line: what matches, what is captured, what is replaced.
// The first lines of standard input are expressions, up to an empty line.
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "re2/re2.h"
#include "re2/set.h"

int main()
{
    std::vector<std::unique_ptr<RE2>> all;
    std::vector<size_t> found, captured, replaced;
    RE2::Set set(RE2::DefaultOptions, RE2::UNANCHORED);
    size_t together = 0;
    std::string line;

    while (std::getline(std::cin, line) && !line.empty()) {
        all.emplace_back(new RE2(line));
        set.Add(line, nullptr);
    }
    if (!set.Compile())
        return 3;
    found.resize(all.size());
    captured.resize(all.size());
    replaced.resize(all.size());
    while (std::getline(std::cin, line)) {
        std::vector<int> which;

        set.Match(line, &which);
        together += which.size();
        for (size_t i = 0; i < all.size(); i++) {
            std::string part, copy = line;

            found[i] += RE2::PartialMatch(line, *all[i]);
            if (all[i]->NumberOfCapturingGroups() > 0 &&
                RE2::PartialMatch(line, *all[i], &part))
                captured[i] += part.size();
            replaced[i] += (size_t)RE2::GlobalReplace(&copy, *all[i], "<\\0>") + copy.size();
        }
    }
    for (size_t i = 0; i < all.size(); i++)
        printf("%zu %zu %zu %s\n", found[i], captured[i], replaced[i], all[i]->pattern().c_str());
    printf("%zu\n", together);
    return 0;
}
