package tracefile

// ObjectStat sums the waits of an event for one object, by its obj# (facts 6).
// Object 0 stands for all beyond the first maxObjects.
type ObjectStat struct {
	Object, Count, Total, Max int64 // us
}

const maxObjects = 64

// byObject tells whether obj# means something: on other waits, such as those for
// the network, it is left over from an earlier one (facts 6).
func (e *Event) byObject() bool {
	switch e.Class {
	case ClassIO, ClassLock, ClassConcurrency, ClassCluster:
		return true
	}
	return false
}

// object adds a wait for an object. Mostly it is the same as the last time.
func (e *Event) object(id, ela int64) {
	i := e.lastObject
	if i >= len(e.Objects) || e.Objects[i].Object != id {
		i = e.findObject(id)
		e.lastObject = i
	}
	o := &e.Objects[i]
	o.Count++
	o.Total += ela
	o.Max = max(o.Max, ela)
}

func (e *Event) findObject(id int64) int {
	for i := range e.Objects {
		if e.Objects[i].Object == id {
			return i
		}
	}
	if len(e.Objects) < maxObjects {
		e.Objects = append(e.Objects, ObjectStat{Object: id})
		return len(e.Objects) - 1
	}
	if id != 0 {
		return e.findObject(0)
	}
	e.Objects = append(e.Objects, ObjectStat{})
	return len(e.Objects) - 1
}
