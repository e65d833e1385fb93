import type { z } from 'zod'
import type { MenuType } from './menu.schema'

export const menuTypeText: Record<z.infer<typeof MenuType>, string> = {
  folder: '目录',
  page: '菜单',
  button: '按钮',
}
