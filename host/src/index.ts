// First: everything that follows is written into the page under it.
import './federation/trustedTypes'
// Everything that follows loads its lazy chunks through it.
import './federation/install'
import './main'
