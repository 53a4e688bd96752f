package oradebug

import (
	"regexp"
	"strconv"
	"strings"
)

// attachLine is facts/oradebug.md 2.1; the NID field is seen in 21c trace
// headers only and so accepted here by inference.
var attachLine = regexp.MustCompile(`^Oracle pid: (\d+), (Unix process pid|Windows thread id): (\d+)(?:, NID: (\d+))?, image: (.+?)(?: \(([^()]*)\))?$`)

// ParseAttach reads the line that SETORAPID, SETOSPID and SETORAPNAME print.
func ParseAttach(line string) (Attach, bool) {
	m := attachLine.FindStringSubmatch(strings.TrimRight(line, " \t\r\n"))
	if m == nil {
		return Attach{}, false
	}
	pid, err := strconv.Atoi(m[1])
	if err != nil || pid < 1 || pid > 1<<31-1 {
		return Attach{}, false
	}
	return Attach{
		Orapid: pid, OSPid: m[3], Windows: m[2] == "Windows thread id", NID: m[4],
		Image: m[5], Suffix: m[6], Class: ClassOfProcess(m[6]),
	}, true
}

// String prints the line as Oracle does.
func (a Attach) String() string {
	kind := "Unix process pid"
	if a.Windows {
		kind = "Windows thread id"
	}
	s := "Oracle pid: " + strconv.Itoa(a.Orapid) + ", " + kind + ": " + a.OSPid
	if a.NID != "" {
		s += ", NID: " + a.NID
	}
	s += ", image: " + a.Image
	if a.Suffix != "" {
		s += " (" + a.Suffix + ")"
	}
	return s
}

// processClasses says what the bracketed suffix of an image means. PMON, LGWR,
// Q000, VKTM, J009, SHAD and TNS V1-V3 are seen (facts/oradebug.md 2.1, 2.5);
// the rest follows Oracle's published process names.
var processClasses = []struct {
	suffix *regexp.Regexp
	class  ProcessClass
}{
	{regexp.MustCompile(`^(SHAD|TNS V\S*)$`), ClassUser},
	{regexp.MustCompile(`^S[0-9A-Z]\d\d$`), ClassSharedSrv},
	{regexp.MustCompile(`^D\d\d\d$`), ClassDispatcher},
	{regexp.MustCompile(`^P[0-9A-Z][0-9A-Z]\d$`), ClassPX},
	{regexp.MustCompile(`^J[0-9A-Z]\d\d$`), ClassJob},
	{regexp.MustCompile(`^(PMON|SMON|LGWR|CKPT|RECO|DIAG|VKTM|VKRM|MMAN|MMON|MMNL|LMON|LMHB|LREG|DBRM|PING|ACMS|RSMN|RVWR|CTWR|SMCO|FBDA|CJQ0|QMNC|AQPC|TMON|PXMN|RBAL|ASMB|MARK|GMON|CLMN|SVCB|OFSD|PMAN|IMCO|FENC)$`), ClassBackground},
	{regexp.MustCompile(`^(DIA|PSP|GEN|DBW|LMS|LMD|LCK|RMS|ARC|SCM|GTX|GCR|CRM|SCC)[0-9A-Z]$`), ClassBackground},
	{regexp.MustCompile(`^(BW|LG|BG|TT|NSS|NSV|CP|CX|AP|AS)\d\d?$`), ClassBackground},
	{regexp.MustCompile(`^[QWMOERV][0-9A-Z]\d\d$`), ClassBackground},
}

// ClassOfProcess says what a process name, such as PMON or J009, stands for; the
// empty name is a dedicated server.
func ClassOfProcess(suffix string) ProcessClass {
	if suffix == "" {
		return ClassUser
	}
	if suffix == "PSP0" {
		return ClassBackground
	}
	for _, c := range processClasses {
		if c.suffix.MatchString(suffix) {
			return c.class
		}
	}
	return ClassOther
}
