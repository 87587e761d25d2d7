#!/bin/bash
# Builds the virtual machine of the hardware-in-the-loop suite from Debian packages: a stock Debian 13 kernel with
# pins (gpio-sim), an I2C bus that records (i2c-oledrec) and a camera (vimc), and the appliance installed by its own
# installer. Kept in the cache; the appliance in it is renewed at every run.
#   image.sh CACHE
set -euo pipefail

CACHE=$1
HERE=$(cd "$(dirname "$0")" && pwd)
PROJECT=$(cd "$HERE/../.." && pwd)
MIRROR=${ARBITRO_MIRROR:-http://deb.debian.org/debian}
ROOT=$CACHE/root
mkdir -p "$CACHE"

inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 chroot "$ROOT" "$@"; }

base() {
    [ -e "$CACHE/base.done" ] && return
    rm -rf "$ROOT"
    debootstrap --variant=minbase --include=systemd,systemd-sysv,udev,dbus,kmod,polkitd,python3,python3-venv,python3-pip,i2c-tools,procps,ca-certificates,make \
        trixie "$ROOT" "$MIRROR" >"$CACHE/debootstrap.log" 2>&1
    printf '#!/bin/sh\nexit 101\n' >"$ROOT/usr/sbin/policy-rc.d"
    chmod +x "$ROOT/usr/sbin/policy-rc.d"
    touch "$CACHE/base.done"
}

machine() { # kernel with its headers and sources, compilers, and what picamera2 and lgpio are built with
    [ -e "$CACHE/machine.done" ] && return
    cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
    cp /etc/ssl/certs/ca-certificates.crt "$ROOT/etc/ssl/certs/"
    inside apt-get update -qq
    inside apt-get install -y -qq --no-install-recommends linux-image-amd64 linux-headers-amd64 linux-source-6.12 xz-utils gcc swig \
        python3-dev libcap-dev python3-libcamera libcamera-ipa libcamera-tools python3-prctl python3-av python3-numpy python3-pil \
        python3-jsonschema python3-tqdm python3-spidev >"$CACHE/apt.log" 2>&1
    # In the place of Raspberry Pi OS's packages python3-picamera2 and python3-lgpio, which Debian does not have.
    inside python3 -m pip install -q --break-system-packages --prefer-binary picamera2==0.3.38 >>"$CACHE/apt.log" 2>&1
    inside env PYPI=1 python3 -m pip install -q --break-system-packages 'lgpio>=0.2.2.0' >>"$CACHE/apt.log" 2>&1
    touch "$CACHE/machine.done"
}

modules() {
    [ -e "$CACHE/modules.done" ] && return
    local version source=$CACHE/source build=/root/modules
    version=$(ls "$ROOT/lib/modules" | head -1)
    rm -rf "$source" "$ROOT$build"
    mkdir -p "$source" "$ROOT$build"/{gpio-sim,vimc,oledrec}
    tar xf "$ROOT"/usr/src/linux-source-6.12.tar.xz -C "$source" --strip-components=1 --wildcards \
        '*/drivers/gpio/gpio-sim.c' '*/kernel/irq/irq_sim.c' '*/drivers/media/test-drivers/vimc/*'
    # Debian builds neither; irq_to_desc is not exported to modules, generic_handle_irq_safe is.
    sed 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq_safe(irqnum)/' "$source/kernel/irq/irq_sim.c" >"$ROOT$build/gpio-sim/irq_sim.c"
    cp "$source/drivers/gpio/gpio-sim.c" "$ROOT$build/gpio-sim/gpio-sim-main.c"
    printf 'obj-m := gpio-sim.o\ngpio-sim-y := gpio-sim-main.o irq_sim.o\nccflags-y := -DCONFIG_IRQ_SIM=1\n' >"$ROOT$build/gpio-sim/Makefile"
    cp "$source"/drivers/media/test-drivers/vimc/* "$ROOT$build/vimc/"
    sed -i 's/obj-$(CONFIG_VIDEO_VIMC)/obj-m/' "$ROOT$build/vimc/Makefile"
    cp "$HERE/kernel/i2c-oledrec.c" "$ROOT$build/oledrec/"
    echo 'obj-m := i2c-oledrec.o' >"$ROOT$build/oledrec/Makefile"
    local name
    for name in gpio-sim vimc oledrec; do
        inside make -s -C "/lib/modules/$version/build" "M=$build/$name" modules >>"$CACHE/modules.log" 2>&1
    done
    mkdir -p "$ROOT/lib/modules/$version/extra"
    cp "$ROOT$build"/*/*.ko "$ROOT/lib/modules/$version/extra/"
    inside depmod "$version"
    rm -rf "$source"
    touch "$CACHE/modules.done"
}

initramfs() { # only what finds the disk and the shared folder: Debian's own takes far longer under emulation
    [ "$CACHE/initrd" -nt "$HERE/init" ] && return
    local version tree=$CACHE/tree module
    version=$(ls "$ROOT/lib/modules" | head -1)
    rm -rf "$tree"
    mkdir -p "$tree"/{bin,m,dev,proc,sys,newroot}
    cp "$(command -v busybox)" "$tree/bin/busybox"
    cp "$HERE/init" "$tree/init"
    chmod +x "$tree/init"
    inside modprobe -S "$version" --show-depends -a virtio_pci virtio_blk ext4 9pnet_virtio 9p | awk '/^insmod/ && !seen[$2]++ {print $2}' |
        while read -r module; do
            case $module in
                *.xz) xz -dc "$ROOT$module" >"$tree/m/$(basename "$module" .xz)" ;;
                *) cp "$ROOT$module" "$tree/m/" ;;
            esac
            basename "$module" .xz >>"$tree/m/order"
        done
    (cd "$tree" && find . | cpio -o -H newc --quiet | gzip -1) >"$CACHE/initrd"
    cp "$ROOT"/boot/vmlinuz-* "$CACHE/vmlinuz"
}

appliance() { # installed by the project's own installer, from what is in the working folder now; twice, for a way back
    rm -rf "$ROOT/root/arbitro" "$ROOT/opt/arbitro" "$ROOT/opt/hil" "$ROOT/var/lib/arbitro" "$ROOT/etc/arbitro"
    mkdir -p "$ROOT/root/arbitro" "$ROOT/opt/hil" "$ROOT/host"
    (cd "$PROJECT" && tar c --exclude=.git --exclude='.venv*' --exclude=__pycache__ .) | tar x -C "$ROOT/root/arbitro"
    mount -t proc proc "$ROOT/proc"
    trap 'umount "$ROOT/proc"' EXIT
    local time
    for time in before now; do
        inside make -s -C /root/arbitro install >"$CACHE/install.log" 2>&1 || { cat "$CACHE/install.log" >&2; exit 1; }
    done
    # The project's deck is drawn here: in the machine that takes minutes.
    inside runuser -u arbitro -- /opt/arbitro/current/venv/bin/python -c \
        'from pathlib import Path; from firmware.decks import open_deck; open_deck("arbitro", Path("/var/lib/arbitro"))'
    umount "$ROOT/proc"
    trap - EXIT
    install -m 755 "$HERE/guest/cut.sh" "$ROOT/opt/hil/cut.sh"
    install -m 644 "$HERE/guest/hil.service" "$ROOT/etc/systemd/system/hil.service"
    ln -sf /etc/systemd/system/hil.service "$ROOT/etc/systemd/system/multi-user.target.wants/hil.service"
    install -D -m 644 "$HERE/guest/board.conf" "$ROOT/etc/systemd/system/arbitro.service.d/board.conf"
    install -m 644 "$HERE/guest/arbitro.toml" "$ROOT/etc/arbitro/arbitro.toml"
    rm -f "$ROOT/etc/systemd/system/multi-user.target.wants/arbitro.service" # the scenarios start it
    local unit
    for unit in serial-getty@ttyS0.service getty@tty1.service ldconfig.service apt-daily.timer apt-daily-upgrade.timer \
        systemd-udev-trigger.service systemd-hwdb-update.service dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer modprobe@drm.service; do
        ln -sf /dev/null "$ROOT/etc/systemd/system/$unit"
    done
}

disk() { # without compilers, headers and documents
    local stage=$CACHE/stage
    rm -rf "$stage"
    cp -al "$ROOT" "$stage"
    rm -rf "$stage"/usr/share/{doc,man,locale} "$stage"/usr/src/* "$stage"/usr/lib/gcc "$stage"/var/cache/apt "$stage"/var/lib/apt/lists \
        "$stage"/root/modules "$stage"/usr/lib/modules/*/kernel/drivers/{net,gpu,scsi,infiniband}
    mke2fs -q -F -t ext4 -d "$stage" "$CACHE/root.img" 3200M
    rm -rf "$stage"
}

base
machine
modules
initramfs
appliance
disk
