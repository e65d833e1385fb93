import { atom } from 'jotai'
import type { MenuNode } from '../contract/menuNode'

/** What the server lets this user reach, as the side menu shows it. */
export const menuAtom = atom<MenuNode[]>([])
/** `routeName` of the screen that is open. */
export const routeNameAtom = atom('')
