"""Debian source packages, from the mirror that apt is configured for, into one folder.

apt gets a sources list, an index and a cache of its own in that folder: nothing in /etc changes and no
root is needed. What is there already is not fetched again.
"""
import contextlib
import subprocess


class Unavailable(SystemExit):
    """apt cannot get the sources: the end, unless somebody goes on without them."""


class Sources:
    def __init__(self, folder, say):
        self.folder = folder
        self.say = say
        self.apt = folder / "apt"

    def tree(self, package):
        """The unpacked sources of the package, with Debian's patches: (folder, version)."""
        found = self._unpacked(package)
        if found is None:
            self._update()
            self.say(f"fetching the sources of {package}")
            place = self.folder / package
            place.mkdir(parents=True, exist_ok=True)
            self._fetch(package, place)
            found = self._unpacked(package)
        return found

    def part(self, package, *folders):
        """Only these folders of the package, without Debian's patches: the folder that holds them. Large packages unpack slowly."""
        place = self.folder / package
        if not list(place.glob("*.orig.tar.xz")):
            self._update()
            self.say(f"fetching the sources of {package}")
            place.mkdir(parents=True, exist_ok=True)
            self._fetch(package, place, "--download-only")
        archive = next(place.glob("*.orig.tar.xz"))
        part = place / "part"
        if not all((part / folder).is_dir() for folder in folders):
            self.say(f"unpacking {', '.join(folders)}")
            part.mkdir(exist_ok=True)
            subprocess.run(["tar", "-xJf", archive, "-C", part, "--strip-components=1", "--wildcards",
                            *(f"*/{folder}/*" for folder in folders)], check=True)
        return part

    def _fetch(self, package, place, *options):
        """The newest version; a mirror that has lost it may have it in another suite."""
        try:
            self._apt("source", "-qq", *options, package, cwd=place)
        except Unavailable as why:
            for suite in sorted({entry.split()[2] for entry in self._entries()}):
                with contextlib.suppress(Unavailable):
                    return self._apt("source", "-qq", *options, f"{package}/{suite}", cwd=place)
            raise why

    def _unpacked(self, package):
        for description in (self.folder / package).glob("*.dsc"):
            fields = dict(line.split(": ", 1) for line in description.read_text(errors="replace").splitlines()
                          if line.startswith(("Source: ", "Version: ")))
            trees = [p for p in description.parent.iterdir() if (p / "debian").is_dir()]
            if trees:
                return trees[0], fields["Version"]
        return None

    def _update(self):
        listing = self.apt / "sources.list"
        wanted = "".join(line + "\n" for line in self._entries())
        if listing.exists() and listing.read_text() == wanted and any((self.apt / "lists").glob("*Sources*")):
            return
        for part in ("lists/partial", "cache/archives/partial"):
            (self.apt / part).mkdir(parents=True, exist_ok=True)
        self.say(f"deb-src entries for apt's mirrors in {listing}")
        listing.write_text(wanted)
        self._apt("update", "-qq")

    def _entries(self):
        """One deb-src line for each suite that apt takes binary packages from."""
        targets = subprocess.run(
            ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages"],
            check=True, capture_output=True, text=True).stdout
        entries = sorted({f"deb-src {line}" for line in targets.splitlines()})
        if not entries:
            raise Unavailable("apt is not configured: no suite to take sources from (or apt-get update is due)")
        return entries

    def _apt(self, *arguments, cwd=None):
        options = {"Dir::Etc::SourceList": self.apt / "sources.list", "Dir::Etc::SourceParts": "-",
                   "Dir::State::Lists": self.apt / "lists", "Dir::Cache": self.apt / "cache",
                   "APT::Sandbox::User": "root"}
        command = ["apt-get"] + [f"-o{name}={value}" for name, value in options.items()] + list(arguments)
        done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            raise Unavailable(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
