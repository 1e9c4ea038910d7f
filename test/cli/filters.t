#!/bin/bash
# --program, --file, --directory and --function choose the same in every command that reads profiles.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

mkdir -p src/one src/two profiles
cat >src/one/a.c <<'END'
int alpha(int x) { if (x > 1) return 3; return x; }
static int same(int x) { if (x > 1) return 7; return x + 1; }
int one(int x) { return alpha(x) + same(x); }
END
cat >src/two/b.c <<'END'
int beta(int x) { if (x > 1) return 5; return x; }
static int same(int x) { if (x > 1) return 9; return x + 2; }
int two(int x) { return beta(x) + same(x); }
END
cat >src/main.c <<'END'
int one(int x), two(int x);
int main(int argc, char **argv) { (void)argv; return one(argc) + two(argc) > 100; }
END
echo 'int helper(int x) { return x > 1 ? 1 : 2; } int main(int c, char **v) { (void)v; return helper(c) - 2; }' >tool.c
trod cc -O1 -g -fno-inline -o app src/main.c src/one/a.c src/two/b.c
trod cc -O1 -g -fno-inline -o tool tool.c
TROD_OUT=profiles/app.trod ./app
TROD_OUT=profiles/more.trod ./app x
TROD_OUT=profiles/tool.trod ./tool

# What each command says of functions; names of no more than one of them.
all_said()
{
    case $1 in
    html) trod html --no-layout --json "${@:2}" profiles ;;
    tests) trod tests --first "${@:2}" profiles ;;
    diff) trod diff --force "${@:2}" profiles/app.trod profiles/more.trod ;;
    overlap) trod overlap --most=99 "${@:2}" profiles/app.trod profiles/more.trod ;;
    untested) trod untested --tested=profiles/app.trod --partial "${@:2}" profiles ;;
    coverage) trod coverage --most=99 "${@:2}" profiles ;;
    export) trod export --to=csv "${@:2}" profiles ;;
    lcov) trod export --to=lcov "${@:2}" profiles ;;
    merge) trod merge "${@:2}" profiles | trod report --brief ;;
    *) trod "$1" "${@:2}" profiles ;;
    esac 2>/dev/null
}

for command in report html annotate tests diff overlap untested coverage export lcov merge; do
    said=$(all_said $command)
    like "$said" "alpha" "$command: all functions without a choice"
    like "$said" "beta" "... of all files"
    for chosen in --file=a.c --file='*/one/*' --directory=src/one --directory=one/; do
        said=$(all_said $command "$chosen")
        like "$said" "alpha" "$command $chosen: those of the file"
        unlike "$said" "beta|helper" "... and no others"
    done
    said=$(all_said $command --function=beta)
    like "$said" "beta" "$command --function: that function"
    unlike "$said" "\balpha\b|helper" "... and no other"
    unlike "$(all_said $command --program=app)" "helper" "$command --program: that program and no other"
done
for command in report html\ -o\ page.html annotate tests "untested --tested=profiles/app.trod" coverage \
    "export --to=csv" "export --to=lcov" "merge -o out.trod"; do
    for chosen in --function --file --directory --program; do
        # shellcheck disable=SC2086
        exits 3 "$command $chosen: what is not there" trod $command $chosen=nosuch profiles
    done
done
for command in diff overlap; do
    for chosen in --function --file --directory --program; do
        exits 3 "$command $chosen: what is not there" \
            trod $command $chosen=nosuch profiles/app.trod profiles/more.trod
    done
done
like "$(trod report --program=ap profiles 2>&1)" "--program=ap: no profile is of such a program; did you mean 'app'\?" \
    "the nearest name of a program"
like "$(trod report --program=tool profiles)" "helper" "another program"
unlike "$(trod report --program=tool profiles)" "alpha" "... alone"
like "$(trod report --program='*/tool' profiles)" "helper" "a program by its path"

# Functions with the same name in two files are distinguished.
is "$(trod export --to=csv --file=a.c --function=same profiles | grep -c same)" 2 "static functions of one file"

trod merge -o chosen.trod --file=a.c profiles
like "$(trod show chosen.trod)" "note \"chosen " "what was merged says that it is a part"
trod merge -o both.trod chosen.trod profiles/app.trod
is "$(trod show both.trod | grep -c '^module')" 2 "... and has the same modules: it can be merged with others"
done_testing
