import { MoreOutlined, PlusOutlined } from '@ant-design/icons'
import { useRequest } from 'ahooks'
import {
  Button,
  ConfigProvider,
  Dropdown,
  Empty,
  Flex,
  Space,
  Spin,
  Tag,
  Tooltip,
  Tree,
} from 'antd'
import { lazy, Suspense, useMemo } from 'react'
import { call } from '@iot/shared/client/call'
import { type Menu, menuApi, menuTypeText } from '@iot/shared/contract/menu'
import { refuseMenuPlace } from '@iot/shared/contract/menuPlace'
import { type Place, treeOf } from '@iot/shared/contract/tree'
import { quietly } from '@iot/shared/ui/batch'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { MenuIcon } from '@iot/shared/ui/menuIcon'
import { Panel } from '@iot/shared/ui/panel'
import { Right, useRefusal } from '@iot/shared/ui/right'
import { StatusTag } from '@iot/shared/ui/status'
import { treeDrag } from '@iot/shared/ui/treeDrag'
import { useEditing } from '@iot/shared/ui/useDraft'
import { FailedLine } from '@iot/shared/ui/usePage'
import * as styles from './menu.module.css'
import { servedPaths } from './servedPaths'

type Node = Menu & { children?: Node[] }

const MenuForm = lazy(() => import('./MenuForm'))

export function Component() {
  const confirmRemove = useConfirmRemove()
  const refusal = useRefusal()
  const { data: rows = [], error, loading, refresh } = useRequest(() => call(menuApi.list, {}))
  const tree = useMemo(() => treeOf(rows), [rows])
  const { data: served } = useRequest(servedPaths)
  const [editing, setEditing, unsaved] = useEditing<Menu | Pick<Menu, 'parentId' | 'type'> | 'new'>(
    'menu',
    '菜单',
  )

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

  const line = (menu: Menu) => {
    const siblings = tree.children(menu.parentId)
    return (
      <div className={styles.line}>
        <Space size={6} className={styles.name}>
          {menu.type !== 'button' && <MenuIcon name={menu.icon} />}
          <span>{menu.name}</span>
          {menu.type !== 'page' && <Tag>{menuTypeText[menu.type]}</Tag>}
          {menu.type === 'page' && served && !served.has(menu.path) && (
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
        <Space size={0} className={styles.actions}>
          <Right to={menuApi.update}>
            <Button type="link" size="small" onClick={() => setEditing(menu)}>
              编辑
            </Button>
          </Right>
          {menu.type !== 'button' && (
            <Right to={menuApi.create}>
              <Button
                type="link"
                size="small"
                onClick={() =>
                  setEditing({ parentId: menu.id, type: menu.type === 'page' ? 'button' : 'page' })
                }
              >
                新建下级
              </Button>
            </Right>
          )}
          <Dropdown
            trigger={['click']}
            menu={{
              items: [
                {
                  key: 'up',
                  label: '上移',
                  disabled: !!refusal(menuApi.move) || siblings[0]?.id === menu.id,
                  onClick: () => void step(menu, -1),
                },
                {
                  key: 'down',
                  label: '下移',
                  disabled: !!refusal(menuApi.move) || siblings.at(-1)?.id === menu.id,
                  onClick: () => void step(menu, 1),
                },
                { type: 'divider' },
                {
                  key: 'remove',
                  label: '删除',
                  danger: true,
                  title: refusal(menuApi.remove, menu.builtin && '内置菜单不能删除'),
                  disabled: !!refusal(menuApi.remove, menu.builtin && '内置菜单不能删除'),
                  onClick: () => remove(menu),
                },
              ],
            }}
          >
            <Button
              type="text"
              size="small"
              icon={<MoreOutlined />}
              aria-label={`${menu.name}的更多操作`}
            />
          </Dropdown>
        </Space>
      </div>
    )
  }

  return (
    <Panel>
      {unsaved}
      <Flex justify="space-between" align="center">
        <span className={styles.hint}>拖动可调整顺序和上级；目录下放菜单，菜单下放按钮。</span>
        <Right to={menuApi.create}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
            新建菜单
          </Button>
        </Right>
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
            <ConfigProvider theme={{ components: { Tree: { titleHeight: 32 } } }}>
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
      <Suspense>
        {editing && (
          <MenuForm
            tree={tree}
            menu={editing}
            onSaved={refresh}
            onClose={() => setEditing(undefined)}
          />
        )}
      </Suspense>
    </Panel>
  )
}
