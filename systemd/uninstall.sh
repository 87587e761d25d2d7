#!/bin/sh
# Removes the referee. The matches in /var/lib/arbitro, the settings in /etc/arbitro and the user stay.
set -eu

[ "$(id -u)" = 0 ] || { echo "arbitro: expected to run as root: sudo make uninstall" >&2; exit 1; }
if [ -d /run/systemd/system ]; then
    systemctl disable --now arbitro.service arbitro-splash.service || true
fi
rm -f /etc/systemd/system/arbitro.service /etc/systemd/system/arbitro-failed.service \
    /etc/systemd/system/arbitro-splash.service /etc/systemd/system/sysinit.target.wants/arbitro-splash.service \
    /etc/systemd/system/multi-user.target.wants/arbitro.service \
    /usr/lib/sysusers.d/arbitro.conf /etc/udev/rules.d/60-arbitro.rules \
    /etc/polkit-1/rules.d/50-arbitro.rules /etc/modules-load.d/arbitro.conf /usr/local/bin/arbitro
rm -rf /opt/arbitro
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    udevadm control --reload
fi
echo "arbitro: removed; the matches stay in /var/lib/arbitro, the settings in /etc/arbitro"
