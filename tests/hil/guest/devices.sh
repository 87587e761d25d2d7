#!/bin/sh
# Pins, bus and camera of the virtual machine, with the rights that the installed rules give them.
set -e
mkdir -p /run/hil/site
cp /host/guest/*.py /run/hil/site/
modprobe gpio-sim
mount -t configfs none /sys/kernel/config 2>/dev/null || true
pins=/sys/kernel/config/gpio-sim/pi
mkdir "$pins" "$pins/bank0"
echo 54 >"$pins/bank0/num_lines"
echo pinctrl-bcm2711 >"$pins/bank0/label"
echo 1 >"$pins/live"
for pin in 17 27 22 23; do
    echo pull-up >"$(ls -d /sys/devices/platform/gpio-sim.0/gpiochip*)/sim_gpio$pin/pull"
done
modprobe i2c-oledrec
modprobe i2c-dev
modprobe vimc
ln -sf system "/dev/dma_heap/linux,cma"
chgrp -R video /dev/dma_heap && chmod 660 /dev/dma_heap/system

# Not `udevadm settle`: in a machine as slow as this one it waits for devices that nobody needs.
for device in gpiochip0:gpio i2c-1:i2c media0:video video0:video; do
    tries=0
    until [ "$(stat -c %G "/dev/${device%:*}" 2>/dev/null)" = "${device#*:}" ]; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || { echo "hil: FAILED: devices: /dev/${device%:*} does not belong to group ${device#*:}"; exit 1; }
        sleep 0.5
    done
done
