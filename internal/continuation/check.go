package continuation

// The check symbols are those of a [10,8,3] code over GF(32), reduced by
// x^5+x^2+1, with the generator a = 2. Symbol i weighs a^(i+3) in the first
// check and a^(3i) in the second; those 8 columns and the two of the checks
// themselves are pairwise non-proportional, so that no pattern of one or two
// errors, and hence no swap of two symbols, leads to another codeword.
// docs/formats.md states the code for other implementations.
var (
	firstWeights  = [dataLen]byte{8, 16, 5, 10, 20, 13, 26, 17}
	secondWeights = [dataLen]byte{1, 8, 10, 26, 14, 31, 3, 24}
)

// offset is added to the checks. It is the kind's own two symbols, C and 1: a
// kind cannot be mistaken for another one, and eight zeros do not check to two.
var offset = [2]byte{12, 1}

func checkOf(data [dataLen]byte) [2]byte {
	check := offset
	for i, d := range data {
		check[0] ^= multiply(firstWeights[i], d)
		check[1] ^= multiply(secondWeights[i], d)
	}
	return check
}

// multiply is the product in GF(32).
func multiply(a, b byte) byte {
	var product byte
	for ; b != 0; b >>= 1 {
		if b&1 != 0 {
			product ^= a
		}
		a <<= 1
		if a&32 != 0 {
			a ^= 0b100101
		}
	}
	return product
}
