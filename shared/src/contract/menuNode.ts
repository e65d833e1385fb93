import { z } from 'zod'

/** One line of the side menu as a signed-in user receives it: only what they may reach, in order. */
export type MenuNode = {
  id: string
  type: 'folder' | 'page'
  name: string
  path: string
  routeName: string
  icon: string
  children: MenuNode[]
}
export const MenuNode: z.ZodType<MenuNode> = z.object({
  id: z.string(),
  type: z.enum(['folder', 'page']),
  name: z.string(),
  path: z.string(),
  routeName: z.string(),
  icon: z.string(),
  get children() {
    return z.array(MenuNode)
  },
})
