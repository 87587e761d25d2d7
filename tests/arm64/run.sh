#!/bin/bash
# The locked wheels for the Raspberry Pi (aarch64, Python 3.11 and 3.13) installed and run under emulation: each is
# imported, and one rendered picture of a table is read with the same cards as on this machine.
#   run.sh [--broken picture|wheel]
# Needs root, Debian's debootstrap and a network; what was downloaded is kept in the cache.
set -euo pipefail

ROOT=$(cd "$(dirname "$0")/../.." && pwd)
CACHE=${ARBITRO_CACHE:-$HOME/.cache/arbitro}/arm64
MIRROR=${ARBITRO_MIRROR:-http://deb.debian.org/debian}
PYTHON=$ROOT/.venv/bin/python
BEGAN=$(date +%s)
BROKEN=$([ "${1:-}" = --broken ] && echo "${2:-}" || true) # on purpose, to see it fail: picture, wheel
mkdir -p "$CACHE"

passed() { echo "arm64: passed: $* ($(($(date +%s) - BEGAN)) s)"; }
failed() { echo "arm64: FAILED: $*" >&2; exit 1; }

need() { command -v "$1" >/dev/null || failed "expected $1 (apt-get install $2)"; }
[ "$(id -u)" = 0 ] || failed "expected to run as root, for chroot"
need debootstrap debootstrap
need dpkg-deb dpkg

emulator() { # QEMU 10 from trixie: five times as fast as the one of bookworm
    [ -x "$CACHE/qemu-aarch64" ] && return
    local apt=$CACHE/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $MIRROR trixie main" >"$apt/sources.list"
    local options=(-qq -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/none -o "Dir::State::Lists=$apt/lists"
        -o "Dir::Cache=$apt/cache" -o "Dir::Cache::pkgcache=" -o "Dir::Cache::srcpkgcache=" -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update
    (cd "$apt" && apt-get "${options[@]}" download qemu-user)
    dpkg-deb --fsys-tarfile "$apt"/qemu-user_*.deb | tar x -C "$CACHE" --strip-components=3 ./usr/bin/qemu-aarch64
    rm -rf "$apt"
}

root_of() { # release: a root with that release's Python, its packages only unpacked, never configured
    local release=$1 root=$CACHE/$1
    [ -e "$root/.complete" ] && return
    rm -rf "$root"
    debootstrap --arch=arm64 --foreign --variant=minbase --include=python3,ca-certificates "$release" "$root" "$MIRROR" >"$CACHE/$release.log" 2>&1 ||
        failed "debootstrap of $release, see $CACHE/$release.log"
    for package in "$root"/var/cache/apt/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar x -C "$root" --keep-directory-symlink
    done
    rm -rf "$root"/var/cache/apt/archives "$root"/debootstrap
    touch "$root/.complete"
}

wheels() { # release, python version without its dot
    local site=$CACHE/$1/site
    rm -rf "$site"
    local platforms=() tag
    for tag in manylinux_2_34 manylinux_2_28 manylinux_2_27 manylinux_2_17 manylinux2014; do
        platforms+=(--platform "${tag}_aarch64")
    done
    "$PYTHON" -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes --only-binary :all: \
        "${platforms[@]}" --python-version "$2" --target "$site" --requirement "$ROOT/systemd/requirements-$1.txt"
    mkdir -p "$site/ours"
    cp -R "$ROOT"/{engine,vision,hardware,firmware} "$site/ours/"
}

emulated() { # release, then a command
    local root=$CACHE/$1
    shift
    cp "$CACHE/qemu-aarch64" "$root/usr/bin/qemu-aarch64"
    env -i PATH=/usr/sbin:/usr/bin PYTHONPATH=/site/ours:/site HOME=/tmp OMP_NUM_THREADS=1 LANG=C.UTF-8 \
        chroot "$root" /usr/bin/qemu-aarch64 /usr/bin/python3 "$@"
}

check() { # release, python version
    local release=$1 version=$2
    root_of "$release"
    wheels "$release" "${version/./}"
    cp "$ROOT/tests/arm64/check.py" "$CACHE/table.png" "$CACHE/ours.deck" "$CACHE/$release/site/"
    [ "$BROKEN" != picture ] || head -c 60000 "$CACHE/table.png" >"$CACHE/$release/site/table.png"
    [ "$BROKEN" != wheel ] || rm -r "$CACHE/$release/site/cv2"
    emulated "$release" /site/check.py imports "$version" || failed "$release: imports"
    passed "$release: the locked wheels import on aarch64, Python $version"
    emulated "$release" /site/check.py read /site/table.png /site/ours.deck >"$CACHE/$release.cards" || failed "$release: reading a picture"
    cmp -s "$CACHE/native.cards" "$CACHE/$release.cards" || failed "$release: other cards than here: $(diff "$CACHE/native.cards" "$CACHE/$release.cards")"
    passed "$release: read $(wc -w <"$CACHE/$release.cards") cards, the same as here: $(cat "$CACHE/$release.cards")"
}

emulator
(cd "$ROOT" && export PYTHONPATH=. && "$PYTHON" tests/arm64/check.py draw "$CACHE/table.png" "$CACHE/ours.deck" && "$PYTHON" tests/arm64/check.py read "$CACHE/table.png" "$CACHE/ours.deck" >"$CACHE/native.cards")
check trixie 3.13
check bookworm 3.11
echo "arm64: all passed in $(($(date +%s) - BEGAN)) s"
