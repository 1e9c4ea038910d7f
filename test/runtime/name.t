#!/bin/sh
# The file name of the profile.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
# shellcheck source=test/runtime/build.sh
. "$root/test/runtime/build.sh"
build_harness harness || exit 1

# named PATTERN: the resulting names, with P for process ids and T for times.
named()
{
    TROD_OUT=$1 scenario single 1
    (cd run && find . -type f | sed 's|^\./||; s/[0-9]\{10,\}/T/; s/[0-9][0-9]\{1,\}/P/' | sort)
}

is "$(named '')" harness.P.trod "by default"
is "$(named 'x.trod')" x.trod "as it is"
is "$(named '%e-%p-%m.trod')" harness-P-harness.trod "%e %p %m"
is "$(named '%t.trod')" T.trod "%t"
is "$(named '%h.trod')" "$(uname -n | sed 's/[0-9][0-9]\{1,\}/P/').trod" "%h"
is "$(named '100%%.trod')" "P%.trod" "%%"
is "$(named '%x%.trod')" "%x%.trod" "other percent signs stand for themselves"
is "$(named 'x.trod%')" "x.trod%" "a last one too"
mkdir -p there
TROD_OUT=$made/there/y.trod scenario single 1
is "$(ls there)" y.trod "an absolute name"
is "$(named "$(printf '%300s' '' | tr ' ' x)")" "" "a name too long for the file system"
is "$(named "$(printf '%9000s' '' | tr ' ' x)")" "" "a name too long for us"

# Folders that are missing.
is "$(named 'a/b/%p/x.trod')" a/b/P/x.trod "folders are created, after the pattern is expanded"
is "$(named './a//b/../c/x.trod')" a/c/x.trod "however they are written"
rm -rf deep
TROD_OUT=$made/deep/er/x.trod scenario single 1
is "$(find deep -type f)" deep/er/x.trod "of an absolute name, too"
is "$("$here/read-profile" deep/er/x.trod | tail -n 1)" "total 1" "and counts are there"
: >deep/file
TROD_OUT=$made/deep/file/x.trod scenario single 1
is "$(cat deep/file; ls run)" "" "a file in place of a folder is kept, and nothing is created"
(umask 077 && TROD_OUT=$made/private/x.trod scenario single 1)
is "$(stat -c %a private)" 700 "as the process's mask says"
is "$(mkdir gone && cd gone && TROD_OUT='x/y.trod' sh -c 'rmdir ../gone; exec "$0" single 1' "$harness" 2>&1; ls -d gone 2>/dev/null)" "" \
    "a deleted working directory is not created again"

# The program's name is that of its file, not argv[0].
(mkdir -p "a b" && cp harness "a b/c%pd" && cd "a b" && TROD_OUT='%e.trod' "./c%pd" single 1)
is "$(find "a b" -name '*.trod')" "a b/c%pd.trod" "names are not expanded again"

# Clashes.
rm -rf run && mkdir run && cd run || exit 1
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    TROD_OUT=x.trod "$harness" single "$i"
    chmod 660 ./*.trod
done
cd .. || exit 1
is "$(find run -type f | wc -l | tr -d ' ')" 12 "a name that is taken"
like "$(find run -type f)" 'x\.4\.trod$' "gets a number"
is "$("$here/read-profile" run/x.trod | tail -n 1)" "total 1" "and is left alone"
echo precious >precious
ln -s ../precious run/link.trod
(cd run && TROD_OUT=link.trod "$harness" single 1)
is "$(cat precious)" precious "what a symbolic link points to is left alone"
is "$(find run -name 'link.1.trod' | wc -l | tr -d ' ')" 1 "a symbolic link is a name that is taken"

# From the build.
cat >out.c <<'EOF'
extern const char __trod_out[];
const char __trod_out[] = "built-%p.trod";
EOF
# shellcheck disable=SC2086
"$CC" $harness_flags -o harness "$here/harness.c" out.c libtrod-rt.a -pthread
is "$(named '')" built-P.trod "from the build"
is "$(named 'x.trod')" x.trod "the environment comes first"

# The description of a run: any bytes in arguments, any number of them.
unset TROD_OUT
scenario single 1 0 --password=secret
is "$(report | grep '^run argument')" "run arguments 5" "arguments are counted, not recorded"
is "$(grep -c secret run/*.trod)" 0 "and are nowhere in the profile"
TROD_ARGV=1
export TROD_ARGV
scenario single 1 0 'a b' "$(printf 'x\ny\\z\001')" ''
is "$(report | sed -n 's/^run argument//p' | tail -n 3)" " a b
 x\\x0ay\\\\z\\x01
 " "arguments"
# shellcheck disable=SC2046
scenario single 1 0 $(seq 30000)
is "$(report | grep '^run arguments')" "run arguments 30004" "a very long command line is cut"
is "$(report | grep -v '^run argument [0-9]*$' | grep -c argument)" 3 "after a whole argument"
is "$(report | tail -n 1)" "total 1" "and the profile is whole"
like "$(report)" "^run directory $made/run\$" "its directory"

done_testing
