#!/bin/sh
# Usage errors get a message that names the mistake, and a nonzero status.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

trod="$root/build/release/trod"
cat >app.c <<'C'
static int twice(int x)
{
    if (x > 1)
        return 2;
    return 3;
}
int main(void)
{
    int sum = 0;

    for (int i = 0; i < 10; i++)
        sum += twice(i);
    return sum == 1;
}
C
printf 'int g(int x)\n{\n    return x > 3;\n}\nint h(int x)\n{\n    return x < 3;\n}\nint main(int c, char **v)\n{\n    return !v + g(c) + h(c) - 1;\n}\n' >other.c
$trod cc -g -o app app.c && TROD_OUT=app.trod ./app
$trod cc -g -o other other.c && TROD_OUT=other.trod ./other
# What it says on stderr.
said()
{
    # shellcheck disable=SC2069 # stdout goes elsewhere on purpose
    "$@" 2>&1 >out
}

# Functions that are none.
for command in "report" "coverage --min=90" "annotate" "stage flow" "export --to=json" "html -o page.html"; do
    # shellcheck disable=SC2086
    exits 3 "$command: a function that is not there" trod $command -f nosuch app.trod
done
like "$(said trod report -f twcie app.trod)" "did you mean 'twice'\?" "the name that is nearest"
like "$(said trod report -f nosuch app.trod)" "no function of the program has that name" "or that there is none"
ok "a pattern is enough" trod report -f 'tw*' app.trod

# Profiles that cannot be read, or are of something else.
head -c 3000 app.trod >cut.trod
exits 3 "cut off before its first section" trod report cut.trod
like "$(said trod report cut.trod)" "cut.trod: nothing can be read from this profile" "and so it says"
mkdir gone && mv app gone
like "$(said trod report app.trod)" "without it, paths are printed as numbers: name the program with --binary" "the program moved"
exits 3 "the program moved, and functions are named" trod report -f main app.trod
mv gone/app .
exits 4 "diff of two programs" trod diff app.trod other.trod
like "$(said trod diff app.trod other.trod)" "are of different programs: .* add --force" "and so it says"
ok "diff of two programs, as asked for" trod diff --force app.trod other.trod

# Words.
exits 2 "an option of trod's behind the compiler's" "$trod" cc app.c --only=twice -o x
like "$(said "$trod" cc app.c --only=twice -o x)" "--only=twice is an option of trod; put it before the compiler's arguments" "and so it says"
ok "the linker's own" "$trod" cc -O1 app.c -Xlinker --no-undefined -o x
like "$(said trod reprot app.trod)" "did you mean 'report'\?" "a command that is nearest"
like "$(said trod cover app.trod)" "did you mean 'coverage'\?" "a command that begins so"
unlike "$(said trod frobnicate app.trod)" "did you mean" "none is near"
like "$(said trod report --sort=cout app.trod)" "did you mean 'count'\? Expected one of: count, weight, function, file" "a word that is nearest, and all"

done_testing
