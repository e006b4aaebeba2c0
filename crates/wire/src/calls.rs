//! Every system call of x86-64 Linux, and what containment says of it: allowed, ruled or refused, and why.
//!
//! The engine makes its seccomp filter from this, the runtime counts what was refused by it, and a page of the book
//! is written from it. What is not here, because a kernel is newer, is refused as if the kernel did not have it.

pub const EPERM: u16 = 1;
pub const EACCES: u16 = 13;
pub const ENOSYS: u16 = 38;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Allowed,
    /// Ruled by Landlock: paths that are written.
    Files,
    /// Ruled by mounts that are read-only, where there is a namespace.
    Attributes,
    /// Ruled by the namespace of processes, or Landlock.
    Processes,
    /// Ruled by the rights that root is left with.
    Rights,
    /// Ruled by limits, and by what is looked at during a run.
    Limits,
    /// Needs a socket, which is ruled where it is made.
    Connected,
    /// Ruled by the filter, by arguments.
    Arguments,
    /// The same, where there is no namespace.
    Foreign,
    /// Refused with this error unless the network was allowed.
    Network(u16),
    /// Refused unless the process is one that may look at its own memory from another.
    Tracing(u16),
    /// Refused where there is no namespace.
    Namespace(u16),
    Refused(u16),
    /// Refused with `ENOSYS`, as by the system.
    Gone,
}

use Verdict::*;

pub struct Call {
    pub number: u32,
    pub name: &'static str,
    pub verdict: Verdict,
    /// A few words.
    pub reason: &'static str,
}

const OPENED: &str = "descriptors that the run has, or makes for itself";
const QUESTION: &str = "asks, and changes nothing";
const CLOCK: &str = "tells the time";
const WAITS: &str = "waits, or is woken";
const MEMORY: &str = "its own memory";
const ITSELF: &str = "concerns the calling process";
const LESS: &str = "a process can give rights up, and get none";
const SYNC: &str = "hurries what is written already";
const WATCH: &str = "reports what happens to files that can be read";
const WATCH_ALL: &str = "only reports, without the rights of root";
const INNER: &str = "namespaces within those of the run, where nothing can be mounted";
const EXECUTE: &str = "what is executed has the same containment";
const FILES: &str = "writes below the run's directory only";
const ATTRIBUTES: &str = "modes, owners, times and attributes of files";
const SIGNALS: &str = "signals to processes of the run";
const SIGNALS_NOT_TO_ALL: &str =
    "signals to processes of the run, and none to everybody (-1) where there is no namespace";
const OWNER: &str = "whom a descriptor signals: a process of the run";
const OF_RUN: &str = "processes of the run";
const USERS: &str = "as far as the user may; no right comes with it";
const ADJUST: &str = "the clock is told, and not set";
const ROOT: &str = "for root only, and what can be written stays the same";
const LOWERED: &str = "limits are lowered, and never raised";
const COUNTED: &str = "processes are counted, and end with the run";
const AMOUNT: &str = "as much memory as a run may have";
const PAIRS: &str = "pairs that the run makes for itself";
const ONLY_PAIRS: &str = "there are no sockets but pairs";
const TERMINAL: &str = "nothing is typed into a terminal, nor changed there";
const DEVICE: &str = "no devices";
const CALLER: &str = "for the calling process only (0), where there is no namespace";
const NETWORK: &str = "no network, and nobody on this machine to talk to";
const UNSEEN: &str = "opens and connects where no filter sees it";
const REACH: &str = "reaches into other processes, the fork server among them";
const ADVICE: &str = "advises other processes on their memory";
const SYSTEM_V: &str = "objects of the user's other processes have numbers that can be guessed";
const QUEUES: &str = "queues of the user's other processes have names that are no paths";
const SYSTEM: &str = "changes the whole system";
const SET_CLOCK: &str = "sets the clock";
const MOUNTS: &str = "changes what is mounted";
const HANDLES: &str = "opens files past the folders that they are in";
const LEAVE: &str = "leaves the namespaces of the run";
const KEYS: &str =
    "keys are the user's and the session's; asking for one may start a program of root's";
const OBSERVE: &str = "observes other processes and the system";
const GONE: &str = "the system has it no more, or never had";

type Row = (u32, &'static str, Verdict, &'static str);

/// In the order of their numbers.
#[rustfmt::skip]
const TABLE: &[Row] = &[
    (0, "read", Allowed, OPENED),
    (1, "write", Allowed, OPENED),
    (2, "open", Files, FILES),
    (3, "close", Allowed, OPENED),
    (4, "stat", Allowed, QUESTION),
    (5, "fstat", Allowed, QUESTION),
    (6, "lstat", Allowed, QUESTION),
    (7, "poll", Allowed, OPENED),
    (8, "lseek", Allowed, OPENED),
    (9, "mmap", Limits, AMOUNT),
    (10, "mprotect", Allowed, MEMORY),
    (11, "munmap", Allowed, MEMORY),
    (12, "brk", Limits, AMOUNT),
    (13, "rt_sigaction", Allowed, ITSELF),
    (14, "rt_sigprocmask", Allowed, ITSELF),
    (15, "rt_sigreturn", Allowed, ITSELF),
    (16, "ioctl", Arguments, TERMINAL),
    (17, "pread64", Allowed, OPENED),
    (18, "pwrite64", Allowed, OPENED),
    (19, "readv", Allowed, OPENED),
    (20, "writev", Allowed, OPENED),
    (21, "access", Allowed, QUESTION),
    (22, "pipe", Allowed, OPENED),
    (23, "select", Allowed, OPENED),
    (24, "sched_yield", Allowed, WAITS),
    (25, "mremap", Limits, AMOUNT),
    (26, "msync", Allowed, MEMORY),
    (27, "mincore", Allowed, QUESTION),
    (28, "madvise", Allowed, MEMORY),
    (29, "shmget", Namespace(ENOSYS), SYSTEM_V),
    (30, "shmat", Namespace(ENOSYS), SYSTEM_V),
    (31, "shmctl", Namespace(ENOSYS), SYSTEM_V),
    (32, "dup", Allowed, OPENED),
    (33, "dup2", Allowed, OPENED),
    (34, "pause", Allowed, WAITS),
    (35, "nanosleep", Allowed, WAITS),
    (36, "getitimer", Allowed, QUESTION),
    (37, "alarm", Allowed, WAITS),
    (38, "setitimer", Allowed, WAITS),
    (39, "getpid", Allowed, QUESTION),
    (40, "sendfile", Allowed, OPENED),
    (41, "socket", Network(EACCES), NETWORK),
    (42, "connect", Connected, ONLY_PAIRS),
    (43, "accept", Connected, ONLY_PAIRS),
    (44, "sendto", Connected, ONLY_PAIRS),
    (45, "recvfrom", Connected, ONLY_PAIRS),
    (46, "sendmsg", Connected, ONLY_PAIRS),
    (47, "recvmsg", Connected, ONLY_PAIRS),
    (48, "shutdown", Connected, ONLY_PAIRS),
    (49, "bind", Connected, ONLY_PAIRS),
    (50, "listen", Connected, ONLY_PAIRS),
    (51, "getsockname", Connected, ONLY_PAIRS),
    (52, "getpeername", Connected, ONLY_PAIRS),
    (53, "socketpair", Connected, PAIRS),
    (54, "setsockopt", Connected, ONLY_PAIRS),
    (55, "getsockopt", Connected, ONLY_PAIRS),
    (56, "clone", Limits, COUNTED),
    (57, "fork", Limits, COUNTED),
    (58, "vfork", Limits, COUNTED),
    (59, "execve", Allowed, EXECUTE),
    (60, "exit", Allowed, ITSELF),
    (61, "wait4", Allowed, WAITS),
    (62, "kill", Foreign, SIGNALS_NOT_TO_ALL),
    (63, "uname", Allowed, QUESTION),
    (64, "semget", Namespace(ENOSYS), SYSTEM_V),
    (65, "semop", Namespace(ENOSYS), SYSTEM_V),
    (66, "semctl", Namespace(ENOSYS), SYSTEM_V),
    (67, "shmdt", Namespace(ENOSYS), SYSTEM_V),
    (68, "msgget", Namespace(ENOSYS), SYSTEM_V),
    (69, "msgsnd", Namespace(ENOSYS), SYSTEM_V),
    (70, "msgrcv", Namespace(ENOSYS), SYSTEM_V),
    (71, "msgctl", Namespace(ENOSYS), SYSTEM_V),
    (72, "fcntl", Processes, OWNER),
    (73, "flock", Allowed, OPENED),
    (74, "fsync", Allowed, OPENED),
    (75, "fdatasync", Allowed, OPENED),
    (76, "truncate", Files, FILES),
    (77, "ftruncate", Allowed, OPENED),
    (78, "getdents", Allowed, OPENED),
    (79, "getcwd", Allowed, QUESTION),
    (80, "chdir", Allowed, ITSELF),
    (81, "fchdir", Allowed, ITSELF),
    (82, "rename", Files, FILES),
    (83, "mkdir", Files, FILES),
    (84, "rmdir", Files, FILES),
    (85, "creat", Files, FILES),
    (86, "link", Files, FILES),
    (87, "unlink", Files, FILES),
    (88, "symlink", Files, FILES),
    (89, "readlink", Allowed, QUESTION),
    (90, "chmod", Attributes, ATTRIBUTES),
    (91, "fchmod", Attributes, ATTRIBUTES),
    (92, "chown", Attributes, ATTRIBUTES),
    (93, "fchown", Attributes, ATTRIBUTES),
    (94, "lchown", Attributes, ATTRIBUTES),
    (95, "umask", Allowed, ITSELF),
    (96, "gettimeofday", Allowed, CLOCK),
    (97, "getrlimit", Allowed, QUESTION),
    (98, "getrusage", Allowed, QUESTION),
    (99, "sysinfo", Allowed, QUESTION),
    (100, "times", Allowed, QUESTION),
    (101, "ptrace", Tracing(EPERM), REACH),
    (102, "getuid", Allowed, QUESTION),
    (103, "syslog", Refused(EPERM), SYSTEM),
    (104, "getgid", Allowed, QUESTION),
    (105, "setuid", Rights, USERS),
    (106, "setgid", Rights, USERS),
    (107, "geteuid", Allowed, QUESTION),
    (108, "getegid", Allowed, QUESTION),
    (109, "setpgid", Allowed, ITSELF),
    (110, "getppid", Allowed, QUESTION),
    (111, "getpgrp", Allowed, QUESTION),
    (112, "setsid", Allowed, ITSELF),
    (113, "setreuid", Rights, USERS),
    (114, "setregid", Rights, USERS),
    (115, "getgroups", Allowed, QUESTION),
    (116, "setgroups", Rights, USERS),
    (117, "setresuid", Rights, USERS),
    (118, "getresuid", Allowed, QUESTION),
    (119, "setresgid", Rights, USERS),
    (120, "getresgid", Allowed, QUESTION),
    (121, "getpgid", Allowed, QUESTION),
    (122, "setfsuid", Rights, USERS),
    (123, "setfsgid", Rights, USERS),
    (124, "getsid", Allowed, QUESTION),
    (125, "capget", Allowed, QUESTION),
    (126, "capset", Allowed, LESS),
    (127, "rt_sigpending", Allowed, WAITS),
    (128, "rt_sigtimedwait", Allowed, WAITS),
    (129, "rt_sigqueueinfo", Processes, SIGNALS),
    (130, "rt_sigsuspend", Allowed, WAITS),
    (131, "sigaltstack", Allowed, ITSELF),
    (132, "utime", Attributes, ATTRIBUTES),
    (133, "mknod", Arguments, DEVICE),
    (134, "uselib", Gone, GONE),
    (135, "personality", Allowed, ITSELF),
    (136, "ustat", Allowed, QUESTION),
    (137, "statfs", Allowed, QUESTION),
    (138, "fstatfs", Allowed, QUESTION),
    (139, "sysfs", Allowed, QUESTION),
    (140, "getpriority", Allowed, QUESTION),
    (141, "setpriority", Foreign, CALLER),
    (142, "sched_setparam", Foreign, CALLER),
    (143, "sched_getparam", Allowed, QUESTION),
    (144, "sched_setscheduler", Foreign, CALLER),
    (145, "sched_getscheduler", Allowed, QUESTION),
    (146, "sched_get_priority_max", Allowed, QUESTION),
    (147, "sched_get_priority_min", Allowed, QUESTION),
    (148, "sched_rr_get_interval", Allowed, QUESTION),
    (149, "mlock", Allowed, MEMORY),
    (150, "munlock", Allowed, MEMORY),
    (151, "mlockall", Allowed, MEMORY),
    (152, "munlockall", Allowed, MEMORY),
    (153, "vhangup", Refused(EPERM), SYSTEM),
    (154, "modify_ldt", Allowed, MEMORY),
    (155, "pivot_root", Refused(EPERM), MOUNTS),
    (156, "_sysctl", Gone, GONE),
    (157, "prctl", Allowed, LESS),
    (158, "arch_prctl", Allowed, ITSELF),
    (159, "adjtimex", Rights, ADJUST),
    (160, "setrlimit", Limits, LOWERED),
    (161, "chroot", Rights, ROOT),
    (162, "sync", Allowed, SYNC),
    (163, "acct", Refused(EPERM), SYSTEM),
    (164, "settimeofday", Refused(EPERM), SET_CLOCK),
    (165, "mount", Refused(EPERM), MOUNTS),
    (166, "umount2", Refused(EPERM), MOUNTS),
    (167, "swapon", Refused(EPERM), SYSTEM),
    (168, "swapoff", Refused(EPERM), SYSTEM),
    (169, "reboot", Refused(EPERM), SYSTEM),
    (170, "sethostname", Refused(EPERM), SYSTEM),
    (171, "setdomainname", Refused(EPERM), SYSTEM),
    (172, "iopl", Refused(EPERM), SYSTEM),
    (173, "ioperm", Refused(EPERM), SYSTEM),
    (174, "create_module", Gone, GONE),
    (175, "init_module", Refused(EPERM), SYSTEM),
    (176, "delete_module", Refused(EPERM), SYSTEM),
    (177, "get_kernel_syms", Gone, GONE),
    (178, "query_module", Gone, GONE),
    (179, "quotactl", Refused(EPERM), SYSTEM),
    (180, "nfsservctl", Gone, GONE),
    (181, "getpmsg", Gone, GONE),
    (182, "putpmsg", Gone, GONE),
    (183, "afs_syscall", Gone, GONE),
    (184, "tuxcall", Gone, GONE),
    (185, "security", Gone, GONE),
    (186, "gettid", Allowed, QUESTION),
    (187, "readahead", Allowed, OPENED),
    (188, "setxattr", Attributes, ATTRIBUTES),
    (189, "lsetxattr", Attributes, ATTRIBUTES),
    (190, "fsetxattr", Attributes, ATTRIBUTES),
    (191, "getxattr", Allowed, QUESTION),
    (192, "lgetxattr", Allowed, QUESTION),
    (193, "fgetxattr", Allowed, QUESTION),
    (194, "listxattr", Allowed, QUESTION),
    (195, "llistxattr", Allowed, QUESTION),
    (196, "flistxattr", Allowed, QUESTION),
    (197, "removexattr", Attributes, ATTRIBUTES),
    (198, "lremovexattr", Attributes, ATTRIBUTES),
    (199, "fremovexattr", Attributes, ATTRIBUTES),
    (200, "tkill", Processes, SIGNALS),
    (201, "time", Allowed, CLOCK),
    (202, "futex", Allowed, ITSELF),
    (203, "sched_setaffinity", Foreign, CALLER),
    (204, "sched_getaffinity", Allowed, QUESTION),
    (205, "set_thread_area", Allowed, ITSELF),
    (206, "io_setup", Allowed, OPENED),
    (207, "io_destroy", Allowed, OPENED),
    (208, "io_getevents", Allowed, OPENED),
    (209, "io_submit", Allowed, OPENED),
    (210, "io_cancel", Allowed, OPENED),
    (211, "get_thread_area", Allowed, QUESTION),
    (212, "lookup_dcookie", Gone, GONE),
    (213, "epoll_create", Allowed, OPENED),
    (214, "epoll_ctl_old", Gone, GONE),
    (215, "epoll_wait_old", Gone, GONE),
    (216, "remap_file_pages", Allowed, MEMORY),
    (217, "getdents64", Allowed, OPENED),
    (218, "set_tid_address", Allowed, ITSELF),
    (219, "restart_syscall", Allowed, WAITS),
    (220, "semtimedop", Namespace(ENOSYS), SYSTEM_V),
    (221, "fadvise64", Allowed, OPENED),
    (222, "timer_create", Allowed, WAITS),
    (223, "timer_settime", Allowed, WAITS),
    (224, "timer_gettime", Allowed, QUESTION),
    (225, "timer_getoverrun", Allowed, QUESTION),
    (226, "timer_delete", Allowed, WAITS),
    (227, "clock_settime", Refused(EPERM), SET_CLOCK),
    (228, "clock_gettime", Allowed, CLOCK),
    (229, "clock_getres", Allowed, CLOCK),
    (230, "clock_nanosleep", Allowed, WAITS),
    (231, "exit_group", Allowed, ITSELF),
    (232, "epoll_wait", Allowed, OPENED),
    (233, "epoll_ctl", Allowed, OPENED),
    (234, "tgkill", Processes, SIGNALS),
    (235, "utimes", Attributes, ATTRIBUTES),
    (236, "vserver", Gone, GONE),
    (237, "mbind", Allowed, MEMORY),
    (238, "set_mempolicy", Allowed, MEMORY),
    (239, "get_mempolicy", Allowed, QUESTION),
    (240, "mq_open", Namespace(ENOSYS), QUEUES),
    (241, "mq_unlink", Namespace(ENOSYS), QUEUES),
    (242, "mq_timedsend", Namespace(ENOSYS), QUEUES),
    (243, "mq_timedreceive", Namespace(ENOSYS), QUEUES),
    (244, "mq_notify", Namespace(ENOSYS), QUEUES),
    (245, "mq_getsetattr", Namespace(ENOSYS), QUEUES),
    (246, "kexec_load", Refused(EPERM), SYSTEM),
    (247, "waitid", Allowed, WAITS),
    (248, "add_key", Refused(EPERM), KEYS),
    (249, "request_key", Refused(EPERM), KEYS),
    (250, "keyctl", Refused(EPERM), KEYS),
    (251, "ioprio_set", Foreign, CALLER),
    (252, "ioprio_get", Allowed, QUESTION),
    (253, "inotify_init", Allowed, WATCH),
    (254, "inotify_add_watch", Allowed, WATCH),
    (255, "inotify_rm_watch", Allowed, WATCH),
    (256, "migrate_pages", Foreign, CALLER),
    (257, "openat", Files, FILES),
    (258, "mkdirat", Files, FILES),
    (259, "mknodat", Arguments, DEVICE),
    (260, "fchownat", Attributes, ATTRIBUTES),
    (261, "futimesat", Attributes, ATTRIBUTES),
    (262, "newfstatat", Allowed, QUESTION),
    (263, "unlinkat", Files, FILES),
    (264, "renameat", Files, FILES),
    (265, "linkat", Files, FILES),
    (266, "symlinkat", Files, FILES),
    (267, "readlinkat", Allowed, QUESTION),
    (268, "fchmodat", Attributes, ATTRIBUTES),
    (269, "faccessat", Allowed, QUESTION),
    (270, "pselect6", Allowed, OPENED),
    (271, "ppoll", Allowed, OPENED),
    (272, "unshare", Allowed, INNER),
    (273, "set_robust_list", Allowed, ITSELF),
    (274, "get_robust_list", Allowed, QUESTION),
    (275, "splice", Allowed, OPENED),
    (276, "tee", Allowed, OPENED),
    (277, "sync_file_range", Allowed, OPENED),
    (278, "vmsplice", Allowed, OPENED),
    (279, "move_pages", Foreign, CALLER),
    (280, "utimensat", Attributes, ATTRIBUTES),
    (281, "epoll_pwait", Allowed, OPENED),
    (282, "signalfd", Allowed, OPENED),
    (283, "timerfd_create", Allowed, WAITS),
    (284, "eventfd", Allowed, OPENED),
    (285, "fallocate", Allowed, OPENED),
    (286, "timerfd_settime", Allowed, WAITS),
    (287, "timerfd_gettime", Allowed, QUESTION),
    (288, "accept4", Connected, ONLY_PAIRS),
    (289, "signalfd4", Allowed, OPENED),
    (290, "eventfd2", Allowed, OPENED),
    (291, "epoll_create1", Allowed, OPENED),
    (292, "dup3", Allowed, OPENED),
    (293, "pipe2", Allowed, OPENED),
    (294, "inotify_init1", Allowed, WATCH),
    (295, "preadv", Allowed, OPENED),
    (296, "pwritev", Allowed, OPENED),
    (297, "rt_tgsigqueueinfo", Processes, SIGNALS),
    (298, "perf_event_open", Refused(EACCES), OBSERVE),
    (299, "recvmmsg", Connected, ONLY_PAIRS),
    (300, "fanotify_init", Allowed, WATCH_ALL),
    (301, "fanotify_mark", Allowed, WATCH_ALL),
    (302, "prlimit64", Foreign, CALLER),
    (303, "name_to_handle_at", Allowed, QUESTION),
    (304, "open_by_handle_at", Refused(EPERM), HANDLES),
    (305, "clock_adjtime", Rights, ADJUST),
    (306, "syncfs", Allowed, OPENED),
    (307, "sendmmsg", Connected, ONLY_PAIRS),
    (308, "setns", Refused(EPERM), LEAVE),
    (309, "getcpu", Allowed, QUESTION),
    (310, "process_vm_readv", Processes, OF_RUN),
    (311, "process_vm_writev", Tracing(EPERM), REACH),
    (312, "kcmp", Processes, OF_RUN),
    (313, "finit_module", Refused(EPERM), SYSTEM),
    (314, "sched_setattr", Foreign, CALLER),
    (315, "sched_getattr", Allowed, QUESTION),
    (316, "renameat2", Files, FILES),
    (317, "seccomp", Allowed, LESS),
    (318, "getrandom", Allowed, QUESTION),
    (319, "memfd_create", Limits, AMOUNT),
    (320, "kexec_file_load", Refused(EPERM), SYSTEM),
    (321, "bpf", Refused(EPERM), SYSTEM),
    (322, "execveat", Allowed, EXECUTE),
    (323, "userfaultfd", Allowed, MEMORY),
    (324, "membarrier", Allowed, MEMORY),
    (325, "mlock2", Allowed, MEMORY),
    (326, "copy_file_range", Allowed, OPENED),
    (327, "preadv2", Allowed, OPENED),
    (328, "pwritev2", Allowed, OPENED),
    (329, "pkey_mprotect", Allowed, MEMORY),
    (330, "pkey_alloc", Allowed, MEMORY),
    (331, "pkey_free", Allowed, MEMORY),
    (332, "statx", Allowed, QUESTION),
    (333, "io_pgetevents", Allowed, OPENED),
    (334, "rseq", Allowed, ITSELF),
    (335, "uretprobe", Allowed, ITSELF),
    (336, "uprobe", Allowed, ITSELF),
    (424, "pidfd_send_signal", Processes, SIGNALS),
    (425, "io_uring_setup", Network(ENOSYS), UNSEEN),
    (426, "io_uring_enter", Network(ENOSYS), UNSEEN),
    (427, "io_uring_register", Network(ENOSYS), UNSEEN),
    (428, "open_tree", Refused(EPERM), MOUNTS),
    (429, "move_mount", Refused(EPERM), MOUNTS),
    (430, "fsopen", Refused(EPERM), MOUNTS),
    (431, "fsconfig", Refused(EPERM), MOUNTS),
    (432, "fsmount", Refused(EPERM), MOUNTS),
    (433, "fspick", Refused(EPERM), MOUNTS),
    (434, "pidfd_open", Processes, OF_RUN),
    (435, "clone3", Limits, COUNTED),
    (436, "close_range", Allowed, OPENED),
    (437, "openat2", Files, FILES),
    (438, "pidfd_getfd", Tracing(EPERM), REACH),
    (439, "faccessat2", Allowed, QUESTION),
    (440, "process_madvise", Namespace(EPERM), ADVICE),
    (441, "epoll_pwait2", Allowed, OPENED),
    (442, "mount_setattr", Refused(EPERM), MOUNTS),
    (443, "quotactl_fd", Refused(EPERM), SYSTEM),
    (444, "landlock_create_ruleset", Allowed, LESS),
    (445, "landlock_add_rule", Allowed, LESS),
    (446, "landlock_restrict_self", Allowed, LESS),
    (447, "memfd_secret", Limits, AMOUNT),
    (448, "process_mrelease", Processes, OF_RUN),
    (449, "futex_waitv", Allowed, ITSELF),
    (450, "set_mempolicy_home_node", Allowed, MEMORY),
    (451, "cachestat", Allowed, OPENED),
    (452, "fchmodat2", Attributes, ATTRIBUTES),
    (453, "map_shadow_stack", Allowed, MEMORY),
    (454, "futex_wake", Allowed, ITSELF),
    (455, "futex_wait", Allowed, ITSELF),
    (456, "futex_requeue", Allowed, ITSELF),
    (457, "statmount", Allowed, QUESTION),
    (458, "listmount", Allowed, QUESTION),
    (459, "lsm_get_self_attr", Allowed, QUESTION),
    (460, "lsm_set_self_attr", Allowed, ITSELF),
    (461, "lsm_list_modules", Allowed, QUESTION),
    (462, "mseal", Allowed, MEMORY),
    (463, "setxattrat", Attributes, ATTRIBUTES),
    (464, "getxattrat", Allowed, QUESTION),
    (465, "listxattrat", Allowed, QUESTION),
    (466, "removexattrat", Attributes, ATTRIBUTES),
    (467, "open_tree_attr", Refused(EPERM), MOUNTS),
    (468, "file_getattr", Allowed, QUESTION),
    (469, "file_setattr", Attributes, ATTRIBUTES),
    (470, "listns", Allowed, QUESTION),
];

/// All of them, in the order of their numbers.
pub fn calls() -> impl Iterator<Item = Call> {
    TABLE.iter().map(|&(number, name, verdict, reason)| Call {
        number,
        name,
        verdict,
        reason,
    })
}

/// A bit for each call whose verdict is one of some.
macro_rules! bits {
    ($verdicts:pat) => {{
        let mut bits = [0u64; 8];
        let mut at = 0;
        while at < TABLE.len() {
            let (number, _, verdict, _) = TABLE[at];
            if matches!(verdict, $verdicts) {
                bits[number as usize / 64] |= 1 << (number % 64);
            }
            at += 1;
        }
        bits
    }};
}

fn is_in(bits: &[u64; 8], number: i64) -> bool {
    match usize::try_from(number) {
        Ok(number) if number < bits.len() * 64 => bits[number / 64] >> (number % 64) & 1 == 1,
        _ => false,
    }
}

/// May the filter refuse this call, whatever its arguments are, when the system would have it?
pub fn may_be_refused(number: i64) -> bool {
    const REFUSED: [u64; 8] = bits!(Network(_) | Tracing(_) | Namespace(_) | Refused(_));
    is_in(&REFUSED, number)
}

/// Does it change what files elsewhere are like, where it may?
pub fn changes_attributes(number: i64) -> bool {
    const ATTRIBUTES: [u64; 8] = bits!(Attributes);
    is_in(&ATTRIBUTES, number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "a long table: slow there, and safe code")]
    fn the_table_is_in_order_and_has_what_the_system_has() {
        assert!(TABLE.is_sorted_by(|a, b| a.0 < b.0));
        let names: std::collections::HashSet<&str> = TABLE.iter().map(|row| row.1).collect();
        assert_eq!(names.len(), TABLE.len());
        // Of the kernel that this was built on, wherever its headers are.
        let header = "/usr/include/x86_64-linux-gnu/asm/unistd_64.h";
        let header = std::fs::read_to_string(header).unwrap_or_default();
        for line in header.lines() {
            let Some(line) = line.strip_prefix("#define __NR_") else {
                continue;
            };
            let (name, number) = line.split_once(' ').unwrap();
            let number: u32 = number.trim().parse().unwrap();
            let known = TABLE.iter().find(|row| row.0 == number);
            assert_eq!(known.map(|row| row.1), Some(name), "{number}");
        }
    }

    #[test]
    fn what_may_be_refused_is_what_the_table_says() {
        let refused = |name| {
            let row = TABLE.iter().find(|row| row.1 == name).unwrap();
            may_be_refused(row.0.into())
        };
        assert!(["mount", "socket", "shmget", "ptrace", "keyctl"].map(refused) == [true; 5]);
        assert!(["read", "ioctl", "kill", "tuxcall", "open"].map(refused) == [false; 5]);
        assert!(changes_attributes(90) && changes_attributes(452) && !changes_attributes(2));
        assert!(!may_be_refused(-1) && !may_be_refused(512) && !may_be_refused(i64::MAX));
    }
}
