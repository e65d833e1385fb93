import * as z from '../zod'

/** A node of a user's side menu; it contains permitted entries alone, in order. */
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
