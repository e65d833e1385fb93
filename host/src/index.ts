// First: everything that follows loads its lazy chunks through it.
import './federation/install'
import './main'
