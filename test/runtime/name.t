#!/bin/sh
# Where the profile goes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
# shellcheck source=test/runtime/build.sh
. "$root/test/runtime/build.sh"
build_harness harness || exit 1

# named PATTERN: the names that come of it, numbers of processes as P, times as T.
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
is "$(named 'a/b/%p/x.trod')" a/b/P/x.trod "folders are made, of what the pattern becomes"
is "$(named './a//b/../c/x.trod')" a/c/x.trod "however they are written"
rm -rf deep
TROD_OUT=$made/deep/er/x.trod scenario single 1
is "$(find deep -type f)" deep/er/x.trod "of an absolute name, too"
is "$("$here/read-profile" deep/er/x.trod | tail -n 1)" "total 1" "and counts are there"
: >deep/file
TROD_OUT=$made/deep/file/x.trod scenario single 1
is "$(cat deep/file; ls run)" "" "a file stays one, and nothing is left behind"
(umask 077 && TROD_OUT=$made/private/x.trod scenario single 1)
is "$(stat -c %a private)" 700 "as the process's mask says"
is "$(mkdir gone && cd gone && TROD_OUT='x/y.trod' sh -c 'rmdir ../gone; exec "$0" single 1' "$harness" 2>&1; ls -d gone 2>/dev/null)" "" \
    "where the program started is not made again"

# The program's name is its file's, whatever it is called.
(mkdir -p "a b" && cp harness "a b/c%pd" && cd "a b" && TROD_OUT='%e.trod' "./c%pd" single 1)
is "$(find "a b" -name '*.trod')" "a b/c%pd.trod" "names are not expanded again"

# Clashes.
rm -rf run && mkdir run && cd run || exit 1
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    TROD_OUT=x.trod "$harness" single "$i"
done
cd .. || exit 1
is "$(find run -type f | wc -l | tr -d ' ')" 12 "a name that is taken"
is "$(find run -type f -name 'x.1.trod' | wc -l | tr -d ' ')" 1 "gets a number"
is "$(find run -type f | grep -Ecv 'x(\.[0-9]{1,2})?\.trod$')" 0 "before its extension, and a short one"
is "$("$here/read-profile" run/x.trod | tail -n 1)" "total 1" "and is left alone"
echo precious >precious
ln -s ../precious run/link.trod
(cd run && TROD_OUT=link.trod "$harness" single 1)
is "$(cat precious)" precious "what a symbolic link points to is left alone"
is "$(find run -name 'link.1.trod' | wc -l | tr -d ' ')" 1 "a symbolic link is a name that is taken"

is "$(rm -rf run && mkdir run && cd run && for i in 1 2; do TROD_OUT=a.b/plain "$harness" single 1; done; ls a.b | grep -Ec '^plain(\.1)?$')" 2 \
    "of a name without an extension it is the extension"
rm -rf run && mkdir run && cd run || exit 1
for i in $(seq 3000); do : >x.$i.trod; done
: >x.trod
TROD_OUT=x.trod strace -qq -e trace=openat,linkat -o trace "$harness" single 1 2>strace.err
cd .. || exit 1
if [ -s run/trace ]; then
    is "$(find run -name 'x.*.trod' -size +0 | wc -l | tr -d ' ')" 1 "beside 3,000 others there is a name"
    is "$(($(grep -c EEXIST run/trace) < 20))" 1 "which is found in a few tries"
else
    skip "the search for a name" "$(head -n 1 run/strace.err)"
fi

# Whoever ends the process while the file is made leaves none, or a whole one; whatever the file system lacks.
whole()
{
    for file in "$made"/run/*; do
        case $file in
        *.trod) "$here/read-profile" "$file" >read.out 2>&1 || return 1 ;;
        esac
    done
}
for lacks in '' 'openat:error=EOPNOTSUPP -P .' 'linkat:error=EPERM'; do
    for call in pwrite64 linkat renameat2 unlinkat fcntl; do
        [ -n "$lacks" ] || [ $call != renameat2 ] || continue
        for nth in 1 2 3; do
            rm -rf run && mkdir run
            # Words, and a folder as strace knows it.
            # shellcheck disable=SC2086
            (cd run && TROD_OUT=x.trod strace -qq -o ../trace $(echo ${lacks:+-e inject=$lacks} | sed "s|-P \.|-P $PWD|") \
                -e inject=$call:signal=KILL:when=$nth "$harness" single 1) >out 2>&1
            whole || break 3
        done
    done
done
if [ -s trace ]; then
    ok "whoever ends the process while the file is made leaves none, or a whole one" whole
    for lacks in 'openat:error=EOPNOTSUPP' 'linkat:error=EPERM' 'linkat,renameat2:error=EPERM'; do
        rm -rf run && mkdir run
        # shellcheck disable=SC2046
        (cd run && TROD_OUT=x.trod strace -qq -o ../trace $(case $lacks in openat*) echo -P "$PWD" ;; esac) -e inject="$lacks" \
            "$harness" single 1)
        is "$("$here/read-profile" run/x.trod | tail -n 1), $(find run -type f | wc -l | tr -d ' ')" "total 1, 1" "without $lacks there is one as well"
    done
else
    skip "death while the file is made" "$(cat out)"
fi

# Permissions: nobody else may write to it, whatever the mask; as little as the mask says.
for mask in 000 022 027 077; do
    rm -rf run && mkdir run
    (cd run && umask $mask && TROD_OUT=new/x.trod "$harness" single 1)
    want=$(printf '%o' $((0644 & ~0$mask)))
    is "$(stat -c %a run/new/x.trod)" "$want" "with mask $mask, mode $want"
    is "$(stat -c %a run/new)" "$(printf '%o' $((0755 & ~0$mask)))" "and a folder that nobody else may write to"
done

# Set-user-id: where it was built for, or nowhere.
secure()
{
    rm -rf run && mkdir -m 777 run
    chmod 755 "$made"
    cp "$1" run/secure && chmod 4755 run/secure
    (cd run && TROD_OUT=$made/run/x.trod TROD_LOG=$made/run/log setpriv --reuid=65534 --regid=65534 --clear-groups ./secure single 1)
    (cd run && find . -type f ! -name secure)
}
cat >secure.c <<'EOF'
#include <sys/auxv.h>
int main(void) { return getauxval(AT_SECURE) ? 0 : 1; }
EOF
"$CC" -o is_secure secure.c
if [ "$(id -u)" = 0 ] && cp is_secure secure && chmod 4755 secure && chmod 755 . && setpriv --reuid=65534 --regid=65534 --clear-groups ./secure; then
    is "$(secure harness)" "" "a set-user-id program writes nothing, whatever its environment says"
    echo 'extern const char __trod_out[]; const char __trod_out[] = "relative.trod";' >out.c
    # shellcheck disable=SC2086
    "$CC" $harness_flags -o relative "$here/harness.c" out.c libtrod-rt.a -pthread
    is "$(secure relative)" "" "nor where it was built for, if that is relative to its directory"
    echo "extern const char __trod_out[]; const char __trod_out[] = \"$made/run/absolute.trod\";" >out.c
    # shellcheck disable=SC2086
    "$CC" $harness_flags -o absolute "$here/harness.c" out.c libtrod-rt.a -pthread
    is "$(secure absolute)" ./absolute.trod "but where it was built for"
    is "$(stat -c '%a %u' run/absolute.trod)" "644 0" "which is its owner's"
else
    skip "set-user-id programs" "not root, or they have no more rights here"
fi

# From the build.
cat >out.c <<'EOF'
extern const char __trod_out[];
const char __trod_out[] = "built-%p.trod";
EOF
# shellcheck disable=SC2086
"$CC" $harness_flags -o harness "$here/harness.c" out.c libtrod-rt.a -pthread
is "$(named '')" built-P.trod "from the build"
is "$(named 'x.trod')" x.trod "the environment comes first"

# What a run was: how many arguments, which may be secret.
unset TROD_OUT
scenario single 1 0 --password=secret
is "$(grep -ac secret run/*.trod), $(report | grep '^run arguments')" "0, run arguments 5" "arguments are counted, and not kept"
# If they are wanted: any bytes, any number.
TROD_ARGUMENTS=1
export TROD_ARGUMENTS
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
