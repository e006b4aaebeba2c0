"""Goes along the schedule of a case: one move of one thread after the other."""

import itertools

import gdb

ENDINGS = {5: "no thread can go on", 6: "the threads have made as many moves as a run may have"}


def title(name):
    """What a thread is called: `thread 2.1` is the first that thread 2 started."""
    if name == 0:
        return "main thread"
    numbers = []
    while name > 0:
        numbers.append(str(name % 64))
        name //= 64
    return "thread " + ".".join(reversed(numbers))


def register(name):
    return int(gdb.selected_frame().read_register(name)) & (1 << 64) - 1


def is_foreign(frame):
    """Is it code of the runtime, or of the system?"""
    place = frame.find_sal()
    library = gdb.solib_name(frame.pc()) or ""
    return place.symtab is None or place.line == 0 or library.startswith(("/lib", "/usr/lib"))


def own_frame():
    """The innermost frame of the program's own code."""
    frame = gdb.newest_frame()
    while frame is not None and is_foreign(frame):
        frame = frame.older()
    return frame


def place_of(frame):
    if frame is None:
        return "in a library"
    place = frame.find_sal()
    name = place.symtab.filename.rsplit("/", 1)[-1]
    words = "%s:%d in %s" % (name, place.line, frame.name() or "?")
    try:
        lines = gdb.execute("list %d,%d" % (place.line, place.line), to_string=True)
        words += "  " + lines.strip().split("\t", 1)[-1].strip()
    except gdb.error:
        pass
    return words


class Schedule:
    """Where the run is."""

    def __init__(self):
        self.wanted = 1
        self.number = 0
        self.thread = 0
        self.ending = None
        self.ended = False
        self.untold = False
        self.signal = None


at = Schedule()


class Moves(gdb.Breakpoint):
    """Every move; the run stops at those that are wanted."""

    def stop(self):
        at.number = register("rdi")
        at.thread = register("rsi") & 0xFFFFFFFF
        at.ended = False
        at.untold = at.wanted is not None and at.number >= at.wanted
        return at.untold


class Stops(gdb.Breakpoint):
    """Nobody moves any more."""

    def stop(self):
        at.ending = register("rdi") & 0xFFFFFFFF
        at.untold = True
        return True


def threads():
    """All threads, each with where it stands."""
    inferior = gdb.selected_inferior()
    before = gdb.selected_thread()
    for thread in sorted(inferior.threads(), key=lambda one: one.num):
        thread.switch()
        frame = own_frame()
        if frame is not None:
            frame.select()
        name = "main thread" if thread.num == 1 else thread.name
        mark = "*" if thread.num == before.num else " "
        gdb.write("%s %-12s %s\n" % (mark, name, place_of(frame)))
    before.switch()
    select_own_frame()


def select_own_frame():
    frame = own_frame()
    if frame is not None:
        frame.select()
    return frame


def tell():
    """What has happened, in words; the frame of the program's own code is the one selected."""
    at.untold = False
    if at.ended:
        gdb.write("The run has ended after %d moves; `run` begins it again.\n" % at.number)
        return
    if at.ending is not None:
        words = ENDINGS.get(at.ending, "the run ends")
        gdb.write("After %d moves %s:\n" % (at.number, words))
        threads()
        return
    place = place_of(select_own_frame())
    if at.wanted is not None and at.number >= at.wanted:
        gdb.write("move %d: %s, %s\n" % (at.number, title(at.thread), place))
        return
    why = "stops" if at.signal is None else "gets " + at.signal
    gdb.write("During move %d, %s %s: %s\n" % (at.number, title(at.thread), why, place))


def silently(command):
    """gdb's own words about where it stopped would be about the runtime."""
    try:
        gdb.execute("set suppress-cli-notifications on")
    except gdb.error:
        pass
    try:
        gdb.execute(command, to_string=True)
    finally:
        try:
            gdb.execute("set suppress-cli-notifications off")
        except gdb.error:
            pass


def go(wanted, command):
    if at.ended and command == "continue":
        gdb.write("The run has ended; `run` begins it again.\n")
        return
    if at.ending is not None:
        gdb.write("Nobody moves any more; `run` begins the run again.\n")
        return
    at.wanted = wanted
    at.signal = None
    silently(command)
    tell()
    if not at.ended:
        at.wanted = None


def number_of(argument, default):
    return int(gdb.parse_and_eval(argument)) if argument.strip() else default


class Next(gdb.Command):
    """elw-next [N]: goes on to the next move of the schedule, or to the Nth from here."""

    def __init__(self):
        super().__init__("elw-next", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_terminal):
        go(at.number + number_of(argument, 1), "continue")


class GoTo(gdb.Command):
    """elw-goto N: goes on to move N, as `elsewise show` numbers them."""

    def __init__(self):
        super().__init__("elw-goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_terminal):
        wanted = number_of(argument, at.number + 1)
        if wanted <= at.number and not at.ended:
            gdb.write("Move %d is over; `run` begins the run again.\n" % wanted)
            return
        go(wanted, "continue")


class Back(gdb.Command):
    """elw-back: lets the thread go on into the program's own code, from where step and next work."""

    def __init__(self):
        super().__init__("elw-back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_terminal):
        frame = own_frame()
        if at.ended or at.ending is not None or frame is None:
            gdb.write("There is nothing to go back to.\n")
            return
        if frame != gdb.newest_frame():
            stop = gdb.Breakpoint("*%d" % frame.pc(), internal=True, temporary=True)
            stop.thread = gdb.selected_thread().global_num
            silently("continue")
        gdb.execute("frame")


class Threads(gdb.Command):
    """elw-threads: where each thread stands, in the program's own code."""

    def __init__(self):
        super().__init__("elw-threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_terminal):
        if not at.ended:
            threads()


class OwnFrames:
    """Backtraces begin in the program's own code."""

    name = "elsewise"
    priority = 100
    enabled = True

    def filter(self, frames):
        return itertools.dropwhile(lambda one: is_foreign(one.inferior_frame()), frames)


def stopped(event):
    at.signal = getattr(event, "stop_signal", None)


def ends(event):
    at.ended = True
    at.ending = None
    # Whoever begins it again sees the first move.
    at.wanted = 1


def before_prompt():
    """Tells of a stop that none of the commands here has brought about."""
    if at.untold:
        at.wanted = at.wanted or at.number
        tell()
        at.wanted = None


def begin():
    for setting in ["pagination off", "print thread-events off"]:
        gdb.execute("set " + setting, to_string=True)
    Moves("*__elw_moves", internal=True)
    Stops("*__elw_stops", internal=True)
    Next()
    GoTo()
    Threads()
    Back()
    gdb.frame_filters[OwnFrames.name] = OwnFrames()
    gdb.events.stop.connect(stopped)
    gdb.events.exited.connect(ends)
    gdb.events.before_prompt.connect(before_prompt)
    go(1, "run")
    gdb.write("elw-next goes on to the next move, elw-goto N to move N, continue to the failure;\n")
    gdb.write("elw-threads shows where each thread stands, elw-back makes step and next work.\n")


begin()
