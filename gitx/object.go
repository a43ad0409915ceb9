package gitx

import (
	"fmt"
	"strconv"
)

// An ObjectType is one of git's four kinds of objects.
type ObjectType string

// The types of objects, as git writes them.
const (
	TypeCommit ObjectType = "commit"
	TypeTree   ObjectType = "tree"
	TypeBlob   ObjectType = "blob"
	TypeTag    ObjectType = "tag"
)

// ParseObjectType reads a type as git writes it.
func ParseObjectType(s string) (ObjectType, error) {
	switch t := ObjectType(s); t {
	case TypeCommit, TypeTree, TypeBlob, TypeTag:
		return t, nil
	}
	return "", fmt.Errorf("parse object type %.20q: unknown", s)
}

// EncodeObject returns the bytes that git hashes and, compressed, stores: the
// type, a blank, the length in decimal, a NUL and the content.
func EncodeObject(t ObjectType, content []byte) []byte {
	header := objectHeader(t, len(content))
	return append(header, content...)
}

// HashObject returns the id that git gives to an object. The content is not
// checked. It panics for an invalid format.
func HashObject(format ObjectFormat, t ObjectType, content []byte) OID {
	h := format.New()
	h.Write(objectHeader(t, len(content)))
	h.Write(content)
	oid := OID{format: format}
	h.Sum(oid.sum[:0])
	return oid
}

func objectHeader(t ObjectType, size int) []byte {
	header := append([]byte(t), ' ')
	header = strconv.AppendInt(header, int64(size), 10)
	return append(header, 0)
}
