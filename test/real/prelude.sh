# shellcheck shell=bash
# Helpers for the programs of this folder. CC and CXX are set; the working directory is a copy of the source.
set -euo pipefail

# as_user COMMAND...: some suites are not for root.
as_user()
{
    if [ "$(id -u)" -ne 0 ]; then
        "$@"
        return
    fi
    chown -R nobody:nogroup "$PWD" "${TROD_OUT%/*}"
    HOME=$PWD setpriv --reuid=nobody --regid=nogroup --clear-groups -- "$@"
}
