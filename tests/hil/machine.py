"""The virtual machine as the host sees it: a console that speaks in lines, and a power plug."""

from __future__ import annotations

import queue
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

CPU = "Nehalem"
"""Without AVX: numpy's sorting crashes on QEMU's emulation of it."""

QUIET = (
    "console=ttyS0 panic=-1 quiet loglevel=0 systemd.show_status=false mitigations=off tsc=unstable "
    "modprobe.blacklist=floppy,ata_generic,ata_piix,parport_pc,psmouse,bochs,kvm,kvm_amd,i2c_piix4"
)


class Machine:
    """One boot. Use as a context: at its end the machine is gone, by a pulled plug if it still runs."""

    def __init__(self, cache: Path, disk: Path, words: str, log: Path, more: Sequence[str] = ()) -> None:
        """`words` go to the kernel's command line, `more` to QEMU's; the console is kept in `log`."""
        drive = f"file={disk},if=virtio,cache=writeback," + (
            "format=qcow2" if disk.suffix == ".qcow2" else "format=raw,snapshot=on"
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._log = log
        self._process = subprocess.Popen(
            [
                *("qemu-system-x86_64", "-accel", "tcg,thread=multi,tb-size=512"),
                *("-cpu", CPU, "-smp", "2", "-m", "1536", "-nodefaults", "-display", "none", "-no-reboot"),
                *("-kernel", str(cache / "vmlinuz"), "-initrd", str(cache / "initrd"), "-append", f"{QUIET} {words}"),
                *("-drive", drive, "-serial", "stdio"),
                *("-virtfs", f"local,path={cache / 'share'},mount_tag=host,security_model=none"),
                *more,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, *_: object) -> None:
        self.pull()

    def lines(self, seconds: float) -> Iterator[str]:
        """What it says, until it is off. Raises `TimeoutError` when it says nothing more for so long."""
        while True:
            try:
                line = self._lines.get(timeout=seconds)
            except queue.Empty:
                raise TimeoutError(f"the machine has said nothing for {seconds:.0f} s, see {self._log}") from None
            if line is None:
                return
            yield line

    def until(self, text: str, seconds: float) -> list[str]:
        """What it says up to a line that begins so; all until its end if none does."""
        said = []
        for line in self.lines(seconds):
            said.append(line)
            if line.startswith(text):
                break
        return said

    def pull(self) -> list[str]:
        """The plug, as `kill -9`; what it still had said."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        said = []
        while not self._lines.empty():
            line = self._lines.get()
            said += [] if line is None else [line]
        return said

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._log.open("a") as log:
            log.write(f"--- {time.strftime('%H:%M:%S')}\n")
            log.flush()
            for raw in self._process.stdout:
                line = raw.decode("utf-8", "replace").replace("\r", "").rstrip("\n")
                log.write(line + "\n")
                log.flush()
                at = line.find("hil: ")
                if at >= 0:
                    self._lines.put(line[at:])
        self._lines.put(None)
