import { Button, Space, Tag, Tooltip } from 'antd'
import { type Menu, menuApi, menuTypeText } from '@iot/shared/contract/menu'
import { MenuIcon } from '@iot/shared/ui/menuIcon'
import { Right, RowActions } from '@iot/shared/ui/right'
import { StatusTag } from '@iot/shared/ui/status'
import * as styles from './menu.module.css'

export type NewMenu = Pick<Menu, 'parentId' | 'type'>

type MenuLineProps = {
  menu: Menu
  siblings: readonly Menu[]
  /** Whether a deployed page has its path; undefined while that is not known. */
  isServed: boolean | undefined
  onStep: (by: 1 | -1) => void
  onEdit: (menu: Menu | NewMenu) => void
  onRemove: () => void
}

export function MenuLine({ menu, siblings, isServed, onStep, onEdit, onRemove }: MenuLineProps) {
  const below: NewMenu = { parentId: menu.id, type: menu.type === 'page' ? 'button' : 'page' }
  const more = [
    ...(menu.type === 'button'
      ? []
      : [{ label: '新建下级', to: menuApi.create, onClick: () => onEdit(below) }]),
    {
      label: '上移',
      to: menuApi.move,
      unless: siblings[0]?.id === menu.id && '已经是第一个',
      onClick: () => onStep(-1),
    },
    {
      label: '下移',
      to: menuApi.move,
      unless: siblings.at(-1)?.id === menu.id && '已经是最后一个',
      onClick: () => onStep(1),
    },
    {
      label: '删除',
      to: menuApi.remove,
      unless: menu.builtin && '内置菜单不能删除',
      danger: true,
      onClick: onRemove,
    },
  ]
  return (
    <div className={styles.line}>
      <Space size={6} className={styles.name}>
        {menu.type !== 'button' && <MenuIcon name={menu.icon} />}
        <span>{menu.name}</span>
        {menu.type !== 'page' && <Tag>{menuTypeText[menu.type]}</Tag>}
        {menu.type === 'page' && isServed === false && (
          <Tooltip title="没有已部署的页面使用这个路径，点进去会显示“页面不存在”">
            <Tag color="warning">无页面</Tag>
          </Tooltip>
        )}
        {menu.type !== 'button' && !menu.visible && <Tag>不显示</Tag>}
      </Space>
      <code className={styles.path} title={menu.path}>
        {menu.path}
      </code>
      <code className={styles.permission} title={menu.permission}>
        {menu.permission}
      </code>
      <span className={styles.status}>
        <StatusTag status={menu.status} />
      </span>
      <span className={styles.actions}>
        <RowActions name={menu.name} more={more}>
          <Right to={menuApi.update}>
            <Button type="link" size="small" onClick={() => onEdit(menu)}>
              编辑
            </Button>
          </Right>
        </RowActions>
      </span>
    </div>
  )
}
