//! The header of the C interface is written and checked by the tests of this package.
