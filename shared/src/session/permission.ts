import { atom } from 'jotai'
import type { MenuNode } from '../contract/access/menuNode.schema'

/** The server sends the side menu of the user. */
export const menuAtom = atom<MenuNode[]>([])
/** The open screen has this `routeName`. */
export const routeNameAtom = atom('')
