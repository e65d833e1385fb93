import { useRequest } from 'ahooks'
import { ConfigProvider, Empty, Flex, Space, Spin, Tree } from 'antd'
import { useMemo } from 'react'
import { call } from '@iot/shared/client/call'
import { type Menu, menuApi } from '@iot/shared/contract/menu'
import { refuseMenuPlace } from '@iot/shared/contract/menuPlace'
import { type Place, treeOf } from '@iot/shared/contract/tree'
import { quietly } from '@iot/shared/ui/batch'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { useRefusal } from '@iot/shared/ui/right'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { treeDrag } from '@iot/shared/ui/treeDrag'
import { useEditing } from '@iot/shared/ui/useDraft'
import { FailedLine } from '@iot/shared/ui/usePage'
import * as styles from './menu.module.css'
import { MenuLine, type NewMenu } from './MenuLine'
import { servedPaths } from './servedPaths'

type Node = Menu & { children?: Node[] }

const MenuForm = lazyPart(() => import('./MenuForm'))

export function Component() {
  const confirmRemove = useConfirmRemove()
  const refusal = useRefusal()
  const { data: rows = [], error, loading, refresh } = useRequest(() => call(menuApi.list, {}))
  const tree = useMemo(() => treeOf(rows), [rows])
  const { data: served } = useRequest(servedPaths)
  const [editing, setEditing, unsaved] = useEditing<Menu | NewMenu | 'new'>('menu', '菜单')

  const move = (id: string, to: Place) =>
    call(menuApi.move, { id, ...to })
      .catch(quietly)
      .then(refresh)
  const step = (menu: Menu, by: 1 | -1) => {
    const index = tree.children(menu.parentId).findIndex(({ id }) => id === menu.id) + by
    return move(menu.id, { parentId: menu.parentId, index })
  }
  const remove = ({ id, name }: Menu) =>
    confirmRemove(name, (options) => call(menuApi.remove, { id }, options).then(refresh))

  const drag = treeDrag(
    tree,
    (menu, parentId) => refuseMenuPlace(tree, { type: menu.type, parentId }, menu.id),
    move,
  )

  const line = (menu: Menu) => (
    <MenuLine
      menu={menu}
      siblings={tree.children(menu.parentId)}
      isServed={served?.has(menu.path)}
      onStep={(by) => step(menu, by)}
      onEdit={setEditing}
      onRemove={() => remove(menu)}
    />
  )

  return (
    <Panel>
      {unsaved}
      <Flex justify="space-between" align="center">
        <Space wrap>
          <strong style={{ fontSize: 16 }}>菜单</strong>
          <span className={styles.hint}>拖动可调整顺序和上级；目录下放菜单，菜单下放按钮</span>
        </Space>
        <CreateButton to={menuApi.create} onClick={() => setEditing('new')} />
      </Flex>
      {error && <FailedLine why={error.message} hasRows={rows.length > 0} onRetry={refresh} />}
      <Spin spinning={loading} delay={300}>
        <div className={styles.scroll}>
          <div className={`${styles.line} ${styles.head}`}>
            <span className={styles.name}>名称</span>
            <span className={styles.path}>路径</span>
            <span className={styles.permission}>权限码</span>
            <span className={styles.status}>状态</span>
            <span className={styles.actions}>操作</span>
          </div>
          {rows.length > 0 ? (
            <ConfigProvider theme={{ components: { Tree: { titleHeight: 36 } } }}>
              <Tree<Node>
                blockNode
                selectable={false}
                fieldNames={{ key: 'id', title: 'name' }}
                treeData={tree.nested<Node>((row, children) => ({ ...row, children }))}
                defaultExpandedKeys={rows
                  .filter(({ type }) => type === 'folder')
                  .map(({ id }) => id)}
                titleRender={line}
                {...(!refusal(menuApi.move) && drag)}
              />
            </ConfigProvider>
          ) : (
            !loading &&
            !error && (
              <Empty
                image={Empty.PRESENTED_IMAGE_SIMPLE}
                description="还没有菜单，点“新建菜单”添加"
              />
            )
          )}
        </div>
      </Spin>
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
