#!/bin/sh
# Can 'trod emulate' run programs of this machine and of the machines named? If not, print why not, and fail.
#
#     if why=$("$root/test/kit/emulator.sh"); then ...; else skip "programs in an emulator" "$why"; fi

if [ "$(uname -m)" != x86_64 ]; then
    echo "this machine is not x86-64"
    exit 1
fi
for machine in x86_64 "$@"; do
    if ! command -v "qemu-$machine" >/dev/null; then
        echo "qemu-$machine is not installed"
        exit 1
    fi
    # A QEMU that was built without plugins has no such option.
    if ! "qemu-$machine" --help | grep -q '^-plugin '; then
        echo "qemu-$machine of this system cannot load plugins; tools/qemu builds one that does"
        exit 1
    fi
done
