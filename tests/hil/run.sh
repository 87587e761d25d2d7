#!/bin/bash
# The installed appliance in a virtual machine with real devices: see docs/hardware-tests.md. Needs root and Debian.
#   run.sh [GROUP...]   groups of scenarios, each in a boot of its own
set -euo pipefail

HERE=$(cd "$(dirname "$0")" && pwd)
CACHE=${ARBITRO_CACHE:-$HOME/.cache/arbitro}/hil
LIMIT=${ARBITRO_HIL_LIMIT:-1800}
BEGAN=$(date +%s)
[ $# -gt 0 ] || set -- parts camera unit

[ "$(id -u)" = 0 ] || { echo "hil: expected to run as root" >&2; exit 1; }
for program in qemu-system-x86_64 debootstrap busybox cpio mke2fs; do
    command -v "$program" >/dev/null || {
        echo "hil: expected $program: apt-get install --no-install-recommends qemu-system-x86 debootstrap busybox-static cpio e2fsprogs xz-utils" >&2
        exit 1
    }
done
cp "$HERE/../hardware/panel_bytes.py" "$HERE/guest/panel_bytes.py"
trap 'rm -f "$HERE/guest/panel_bytes.py"' EXIT
[ -n "${ARBITRO_HIL_KEEP:-}" ] || "$HERE/image.sh" "$CACHE" # KEEP: the appliance as it was installed last time
echo "hil: the machine is built after $(($(date +%s) - BEGAN)) s"

boot() { # group: its lines, from a disk that forgets everything afterwards
    rm -rf "$CACHE/share" && mkdir -p "$CACHE/share" && cp -R "$HERE/guest" "$CACHE/share/"
    timeout "$LIMIT" qemu-system-x86_64 -accel tcg,thread=multi,tb-size=512 -cpu max -smp 2 -m 2048 -display none -no-reboot \
        -kernel "$CACHE/vmlinuz" -initrd "$CACHE/initrd" \
        -append "console=ttyS0 panic=-1 quiet systemd.show_status=false mitigations=off hil=$1" \
        -drive "file=$CACHE/root.img,if=virtio,format=raw,snapshot=on" \
        -virtfs "local,path=$CACHE/share,mount_tag=host,security_model=none" -serial stdio -monitor none </dev/null || true
}

failures=0
for group in "$@"; do
    boot "$group" | stdbuf -oL tr -d '\r' | tee "$CACHE/$group.log" | grep --line-buffered '^hil: ' || true
    grep -q '^hil: end' "$CACHE/$group.log" || { echo "hil: FAILED: $group: no end, see $CACHE/$group.log"; failures=1; }
    ! grep -q '^hil: FAILED' "$CACHE/$group.log" || failures=1
done
echo "hil: $([ $failures = 0 ] && echo all passed || echo FAILED) in $(($(date +%s) - BEGAN)) s"
exit $failures
