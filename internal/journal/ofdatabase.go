package journal

// OfDatabase reads the journals of one database, by id. A campaign that does
// not know its database (made from an inventory file) is among them: nothing
// says that it belongs to another one, and each of its sessions is proved
// before it is touched. A journal that cannot be read is in failed, by id,
// because it may hold anything.
func (d Dir) OfDatabase(db Database) (found []*Campaign, failed map[string]error, err error) {
	ids, err := d.IDs()
	if err != nil {
		return nil, nil, err
	}
	failed = map[string]error{}
	for _, id := range ids {
		c, err := d.Load(id)
		if err != nil {
			failed[id] = err
			continue
		}
		if same, _ := c.Header.Database.Same(db); same {
			found = append(found, c)
		}
	}
	return found, failed, nil
}
