#!/bin/bash
# The Debian packages build from a clean checkout, and work on a machine without the source: a minimal Debian in a
# folder.
#
#     TROD_SUITE=trixie test/real/package.t    another release than that of this machine; packages are still built here
#
# needs:  root, debootstrap, what debian/control names, and an archive that apt knows
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

[ "$(id -u)" -eq 0 ] || skip_all "only root can change into another root"
for tool in debootstrap dpkg-buildpackage chroot git; do
    command -v $tool >/dev/null || skip_all "no $tool"
done
unset CC CXX CFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MAKELEVEL MFLAGS

# The package archive of this machine, and its release.
# apt expands these.
# shellcheck disable=SC2016
read -r site suite < <(apt-get indextargets --format '$(SITE) $(CODENAME)' 'Origin: Debian' 'Label: Debian' | sort -u | head -n 1)
suite=${TROD_SUITE:-$suite}
[ -n "$site" ] || skip_all "apt knows no archive of Debian"

# --- building -----------------------------------------------------------------------------

mkdir source
git -C "$root" archive HEAD | tar -x -C source
cd source || exit 1
missing=$(dpkg-checkbuilddeps 2>&1) || skip_all "$missing"
ok "packages are built" env DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" dpkg-buildpackage -us -uc -b
cd ..
is "$(find . -maxdepth 1 -name '*.deb' | grep -vc dbgsym)" 3 "the command, the runtime for arm64, and the library"
if command -v lintian >/dev/null; then
    is "$(lintian --fail-on=none --allow-root ./*.changes 2>/dev/null)" "" "lintian reports nothing"
else
    skip "lintian reports nothing" "no lintian"
fi
# The number of calls that hardening adds: the library has some, the runtime must have none.
hardened()
{
    nm -u "source/build/release/$1" 2>/dev/null | grep -c _chk
}
ok "the library is hardened" test "$(hardened libtrod.a)" -gt 0
is "$(hardened libtrod-rt.a)" 0 "the runtime is not"
is "$(hardened libtrod-online.a)" 0 "nor is the library of online profiles"

# --- a machine ----------------------------------------------------------------------------

other=$PWD/other
debootstrap --variant=minbase "$suite" "$other" "$site" >debootstrap.log 2>&1 || {
    tail -n 3 debootstrap.log >&2
    skip "a machine that has never seen the source" "no $suite can be made of $site"
    done_testing
}
# shellcheck disable=SC2317 # at exit
cleanup()
{
    umount "$other/proc" 2>/dev/null
    rm -rf "$tap_tmp"
}
trap cleanup EXIT
mount --bind /proc "$other/proc"
cp ./*.deb "$root/debian/tests/run" "$other/root/"
rm -f "$other"/root/*dbgsym*

there()
{
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive chroot "$other" sh -c "cd /root && $1"
}
ok "$suite: packages install, with their dependencies only" there \
    'apt-get -qq update && apt-get -qq install -y --no-install-recommends ./trod_*.deb ./libtrod-dev_*.deb'
ok "$suite: a program compiles with the installed packages" there \
    'trod cc -O2 -g -o json /usr/share/doc/trod/examples/json.c'
ok "$suite: it runs" there "printf '[1, 2.5]' | TROD_OUT=out/json.trod ./json"
like "$(there 'trod report --brief out/json.trod' 2>&1)" ' number =[0-9]+  entry' "$suite: its paths are reported, with lines"
if there 'trod help html' >/dev/null 2>&1; then
    ok "$suite: and looked at" there 'trod html -o page.html out/json.trod && test -s page.html'
fi
ok "$suite: manual pages are installed" there 'test -s /usr/share/man/man1/trod-report.1.gz'
ok "$suite: packages for building" there 'apt-get -qq install -y --no-install-recommends gcc libc6-dev pkg-config'
like "$(there './run' 2>&1)" '^done$' "$suite: debian/tests/run"
ok "$suite: packages are removed" there 'apt-get -qq remove -y trod libtrod-dev'
is "$(there 'find / -xdev -path /proc -prune -o -path "*/trod*" -print | grep -v -e ^/root -e /var/')" "" "$suite: and no file remains"
done_testing
