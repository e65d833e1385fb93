import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Tag from 'antd/es/tag'
import Tooltip from 'antd/es/tooltip'
import { useMemo, useState } from 'react'
import { call } from '@iot/shared/client/call'
import { menuTypeText } from '@iot/shared/contract/access/menu'
import type { Menu } from '@iot/shared/contract/access/menu.schema'
import { menuApi } from '@iot/shared/contract/access/menu.api'
import { menuSearchFields, validateMenuParent } from '@iot/shared/contract/access/menuTree'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { createTree } from '@iot/shared/contract/tree'
import { useCan } from '@iot/shared/session/can'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { ExportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { MenuIcon } from '@iot/shared/ui/menuIcon'
import { Panel } from '@iot/shared/ui/panel'
import { Can } from '@iot/shared/ui/right'
import { RowTree, useTreeSearch, type TreeColumn } from '@iot/shared/ui/rowTree'
import { StatusTag } from '@iot/shared/ui/status'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import * as styles from './menu.module.css'
import { fetchDeployedPaths } from './deployedPaths'
import type { NewMenu } from './MenuForm'

const MenuForm = lazyDialog(() => import('./MenuForm'))
const MenuPreview = lazyDialog(() => import('./MenuPreview'))

const renderCode = (text: string) => <code title={text}>{text}</code>
const menuColumns: TreeColumn<Menu>[] = [
  {
    key: 'path',
    title: '路径',
    width: 'max(244px, 19vw)',
    render: ({ path }) => renderCode(path),
  },
  {
    key: 'permission',
    title: '权限码',
    width: 'max(234px, 18vw)',
    render: ({ permission }) => renderCode(permission),
  },
  {
    key: 'status',
    title: '状态',
    width: 60,
    render: ({ status }) => <StatusTag status={status} />,
  },
]

const createChildTemplate = ({ id, type }: Menu): NewMenu => ({
  parentId: id,
  type: type === 'page' ? 'button' : 'page',
})

export function Component() {
  const can = useCan()
  const search = useTreeSearch<Menu>(menuSearchFields, '名称、路径或权限码')
  const { asked: searchText } = search
  const request = useRequest(() => call(menuApi.list, {}, { inline: true }))
  const { data: rows = [], refresh } = request
  const tree = useMemo(() => createTree(rows), [rows])
  const { data: deployedPaths } = useRequest(fetchDeployedPaths)
  const [editing, setEditing, unsavedNotice] = useEditing<Menu | NewMenu | 'new'>('menu', '菜单')

  const [isPreviewing, setPreviewing] = useState(false)

  const remove = useRemoveRow(menuApi.remove, refresh)

  const {
    columns,
    size,
    chooser: columnChooser,
  } = useColumns<Menu, TreeColumn<Menu>>('menu', menuColumns)

  return (
    <Panel>
      {unsavedNotice}
      <Toolbar filters={search.filters}>
        {columnChooser}
        <ExportButton from={menuApi.exportRows} input={search.input} />
        <Can to={roleApi.list}>
          <Button onClick={() => setPreviewing(true)}>以此角色预览</Button>
        </Can>
        <CreateButton to={menuApi.create} onClick={() => setEditing('new')} />
      </Toolbar>
      <RowTree<Menu>
        request={request}
        title="名称"
        name={(menu) => (
          <MenuName
            menu={menu}
            isServed={deployedPaths?.has(menu.path)}
            buttons={menu.type === 'page' ? tree.children(menu.id).length : 0}
          />
        )}
        columns={columns}
        size={size}
        link={(menu) => (
          <Can to={menuApi.update}>
            <Button type="link" size="small" onClick={() => setEditing(menu)}>
              编辑
            </Button>
          </Can>
        )}
        more={(menu) => ({
          first:
            menu.type === 'button'
              ? []
              : [
                  {
                    label: '新建下级',
                    to: menuApi.create,
                    onClick: () => setEditing(createChildTemplate(menu)),
                  },
                ],
          last: [
            {
              label: '删除',
              to: menuApi.remove,
              unless: menu.builtin && '内置菜单不能删除',
              danger: true,
              onClick: () => remove(menu),
            },
          ],
        })}
        move={menuApi.move}
        refuses={(rows, { id, type }, parentId) => validateMenuParent(rows, { type, parentId }, id)}
        find={search.find}
        empty={
          searchText
            ? '没有符合条件的菜单'
            : can(menuApi.create)
              ? '还没有菜单，点“新建菜单”添加'
              : '还没有菜单，请联系管理员添加'
        }
        isClosedAtFirst={({ type }) => type !== 'folder'}
      />
      {!searchText && (
        <p className={styles.hint}>
          {can(menuApi.move) && '拖动可调整顺序和上级；'}目录下放菜单，菜单下放按钮。
        </p>
      )}
      {isPreviewing && <MenuPreview onClose={() => setPreviewing(false)} />}
      {editing && (
        <MenuForm
          tree={tree}
          menu={editing}
          onSaved={refresh}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}

type MenuNameProps = {
  menu: Menu
  /** A deployed page has this menu's path; `undefined` until the pointer is read. */
  isServed: boolean | undefined
  buttons: number
}

const MenuName = ({ menu: { type, icon, name, visible }, isServed, buttons }: MenuNameProps) => (
  <>
    {type !== 'button' && <MenuIcon name={icon} />}
    <span>{name}</span>
    {buttons > 0 && <span className={styles.count}>{buttons} 个按钮</span>}
    {type !== 'page' && <Tag>{menuTypeText[type]}</Tag>}
    {type === 'page' && isServed === false && (
      <Tooltip title="没有已部署的页面使用这个路径，点进去会显示“页面不存在”">
        <Tag color="warning">无页面</Tag>
      </Tooltip>
    )}
    {type !== 'button' && !visible && <Tag>不显示</Tag>}
  </>
)
