package tracefile_test

import "testing"

// TestClockOfMergedTraces: in what trcsess merges, the record before a stamp may be
// another process's, and younger than the stamp. It tells nothing of the clock.
func TestClockOfMergedTraces(t *testing.T) {
	const text = "*** [ Unix process pid: 9850 ]\n*** 2019-07-09T09:57:08.000000-07:00\nEXEC #5:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=5000000\n" +
		"*** [ Unix process pid: 9854 ]\n*** 2019-07-09T09:57:09.000000-07:00\nEXEC #6:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=6000000\nEXEC #6:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=9000000\n" +
		"*** [ Unix process pid: 9850 ]\n*** 2019-07-09T09:57:10.000000-07:00\nEXEC #5:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=7000000\n"
	p := analyse(t, []byte(text))
	wall, ok := p.Files[0].Clock.Wall(7_000_000)
	if !ok || wall != 1_562_691_430_000_000 {
		t.Errorf("%d us off", wall-1_562_691_430_000_000)
	}
	equal(t, "accuracy", p.Files[0].Clock.Accuracy, 0)
}
