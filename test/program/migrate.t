#!/bin/sh
# Migrate profiles of one version of a program to the next: nothing changed, only comments, order or file names, one
# function changed, one is new. The merged profile is compared with a full profile of the new version.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cc=$root/build/release/trod # configurations with sanitizers have no plugin

mkdir v1
cat >v1/app.c <<'END'
#include <stdio.h>
#include <stdlib.h>

int fi(int x)
{
    return x * 3 % 7;
}

int fj(int x)
{
    int n = 0;

    while (x > 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        n++;
    }
    return n;
}

int foo(int n)
{
    int s = 0;

    for (int i = 0; i < n; i++)
        s += fi(i);
    return s;
}

int fee(int n)
{
    int s = 0;

    for (int i = 1; i < n; i++)
        for (int k = 0; k < 3; k++)
            if (i % 2)
                s += fj(i + k);
    return s;
}

int rare(int n)
{
    if (n > 100)
        return fj(n);
    return n;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3;
    int s = foo(n);

    if (n >= 20)
        s += fee(n);
    s += rare(n);
    printf("%d\n", s);
    return 0;
}
END

# version NAME [FILE]: build a version, and profile it on the three inputs.
version()
{
    (
        cd "$1" && "$cc" cc -g -O1 -o app "${2-app.c}" &&
            for n in 5 20 30; do
                TROD_OUT=in$n.trod ./app $n >out$n || exit 1
            done
    ) || exit 1
}

# shellcheck disable=SC2317 # called through ok
# migrate NEW TYPE [OPTION...]: from v1 to another version, into the folders plan and merged.
migrate()
{
    new=$1 type=$2
    shift 2
    rm -rf plan merged some
    mkdir some
    trod migrate --old=v1/app --new="$new/app" --type="$type" "$@" v1/in5.trod v1/in20.trod v1/in30.trod -o plan >said 2>notes ||
        { cat notes >&2; return 1; }
    (cd "$new" && "$cc" cc --only=../plan/reprofile -g -O1 -o ../some/app "$(basename ./*.c)") || return 1
    set --
    for n in 5 20 30; do
        grep -q "^input in$n run" plan/plan || continue
        TROD_OUT="some/in$n.trod" some/app "$n" >/dev/null || return 1
        set -- "$@" "some/in$n.trod"
    done
    trod migrate --finish=plan "$@" -o merged >finished
}

# paths FILE: the counts of paths, without the identity of the program.
paths() { trod show "$1" | grep -e '^function' -e '^=' -e '^begun'; }

# right NEW NAME: the merged path profile equals the full profile of the new version.
right()
{
    for n in 5 20 30; do
        paths "$1/in$n.trod" >want
        paths merged/in$n.trod >got
        cmp -s want got || { tap_report no "$2"; diff want got | head -5 >&2; return; }
    done
    tap_report yes "$2"
}

version v1
"$cc" split -o map v1/app 2>/dev/null
strings -a v1/app map 2>/dev/null | grep -q '^meaning ' || skip_all "maps have no hashes"

# --- nothing changed ------------------------------------------------------------------

cp -r v1 same
ok "the same program" migrate same paths
like "$(cat said)" '(100.0 %)' "all of it is reused"
is "$(grep -c '^input.*skipped' plan/plan)" 3 "no input runs again"
is "$(grep -vc '^#' plan/reprofile)" 0 "and no function is profiled again"
right same "and gives the same profile"
for type in loops calls callgraph blocks edges; do
    ok "the same of $type" migrate same $type
    like "$(cat said)" '(100.0 %)' "all of its $type are reused"
done

mkdir layout
sed -e 's|^int foo|/* Adds up.\n *\n */\nint foo|' -e 's/int s = 0;/int s  =  0; \/\/ the sum/' v1/app.c >layout/app.c
version layout
ok "comments and layout" migrate layout paths
like "$(cat said)" '(100.0 %)' "with comments and another layout all is reused"
right layout "and the profile is right"

mkdir order
of_two='/^int f[ij]\(/ { in_it = 1 } in_it == wanted { print } /^}/ { in_it = 0 }'
{
    awk -v wanted=0 '/^int fi\(/ { print "int fi(int x);\nint fj(int x);\n" } '"$of_two" v1/app.c
    awk -v wanted=1 "$of_two" v1/app.c
} >order/app.c
version order
ok "functions in another order" migrate order paths
like "$(cat said)" '(100.0 %)' "in another order all is reused"
right order "and the profile is right"

mkdir renamed
cp v1/app.c renamed/other.c
version renamed other.c
ok "another name of the file" migrate renamed paths
like "$(cat said)" '(100.0 %)' "in a file with another name all is reused"
right renamed "and the profile is right"

# --- something did ---------------------------------------------------------------------

mkdir changed
sed 's/k < 3/k < 4/' v1/app.c >changed/app.c
version changed
ok "a function that changed" migrate changed paths
is "$(grep -v '^#' plan/reprofile | cut -d' ' -f1)" fee "it is profiled again, and nothing else"
is "$(grep -c '^input in5 skipped' plan/plan)" 1 "an input that does not run it is skipped"
is "$(grep -c '^input.*run fee' plan/plan)" 2 "others are not"
paths changed/in5.trod >want
paths merged/in5.trod >got
ok "the skipped input has the right profile" cmp want got

# fj is called more often now: only a run shows that.
ok "and is checked" migrate changed paths --check=in20=changed/in20.trod
like "$(cat plan/reprofile)" '^fj ' "the check finds that a callee runs more often"
right changed "and all of it is right"
ok "loops are, too" migrate changed loops --check=in20=changed/in20.trod
is "$(grep '^entry fee' merged/in30.entries | cut -d' ' -f4,8,9 | tr '\n' ,)" '0 30 profiled,1 145 profiled,' "loops that changed were counted"
is "$(grep '^entry foo' merged/in30.entries | cut -d' ' -f4,8,9)" '0 31 validated' "one that did not is as it was"
like "$(trod migrate --finish=plan some/in30.trod --no-rerun --explain=fee -o merged)" 'profiled  *145' "--explain prints it"
like "$(trod migrate --old=v1/app --new=changed/app --type=loops --explain=fee v1/in30.trod)" 'affected' "and why"

# --- new and gone --------------------------------------------------------------------------

mkdir grown
sed -e '/^int rare/,/^}/s/    return n;/    return twice(n);/' -e 's/^int rare/int twice(int n)\n{\n    return n > 9 ? 2 * n : n;\n}\n\nint rare/' v1/app.c >grown/app.c
version grown
ok "a new function" migrate grown paths
is "$(grep -v '^#' plan/reprofile | cut -d' ' -f1 | tr '\n' ' ')" "rare twice " "is profiled, and so is its caller"
right grown "and the profile is right"

# --- nothing is run again ------------------------------------------------------------------

rm -rf plan merged
ok "nothing is to run again" trod migrate --old=v1/app --new=changed/app --type=edges --no-rerun v1/in20.trod v1/in30.trod -o plan
ok "what is missing is inferred" trod migrate --finish=plan -o merged
like "$(cat merged/in30.entries)" 'entry fee .* inferred was' "and marked so"
unlike "$(trod migrate --finish=plan -o merged)" 'do not add up' "and adds up"

# --- call sequences -------------------------------------------------------------------------

mkdir figure1 figure2
cat >figure1/fig.c <<'END'
void fi(void) { __asm__ volatile(""); }
void fj(void) { __asm__ volatile(""); }
void foo(void) { for (int i = 0; i < 3; i++) fi(); }
void fee(void) { fj(); }
int main(void)
{
    foo();
    fee();
    return 0;
}
END
sed -e '/^int main/,$s/foo/fxx/' -e '/^int main/,$s/fee/foo/' -e 's/fxx/fee/' figure1/fig.c >figure2/fig.c
for v in figure1 figure2; do
    (cd $v && "$cc" cc --wpp -g -O1 -o fig fig.c && TROD_OUT=run.trod ./fig) || exit 1
done
if trod calls steps --spans figure1/run.trod >/dev/null 2>&1; then
    rm -rf plan merged
    ok "a call sequence" trod migrate --old=figure1/fig --new=figure2/fig --type=sequences figure1/run.trod -o plan
    is "$(grep -v '^#' plan/reprofile)" 'main fig.c' "the function that changed is recorded again, and nothing else"
    (cd figure2 && "$cc" cc --wpp --only=../plan/reprofile -g -O1 -o some fig.c && TROD_OUT=some.trod ./some) || exit 1
    ok "is merged" trod migrate --finish=plan run=figure2/some.trod -o merged
    is "$(sed -n 's/^span . main : //p' merged/run.spans | tr -d '\n')" '3 1' "what main calls comes in the new order"
    is "$(grep -c reused merged/run.spans)" 4 "and the rest is as it was"
else
    skip "call sequences" "the command does not support them"
fi

# --- errors --------------------------------------------------------------------------------

exits 4 "a profile of another program" trod migrate --old=v1/app --new=changed/app --type=loops changed/in5.trod -o plan
exits 4 "a check of another program" trod migrate --old=v1/app --new=changed/app --type=loops --check=in5=v1/in5.trod v1/in5.trod -o plan
trod show v1/in5.trod | grep -v -e '^=' -e '^begun' >zero
exits 3 "a profile that counts nothing" trod migrate --old=v1/app --new=changed/app --type=loops in5=zero -o plan
exits 3 "an input that must be run and was not" sh -c 'trod migrate --old=v1/app --new=changed/app --type=loops v1/in20.trod -o plan && trod migrate --finish=plan -o merged'

done_testing
