import PlusOutlined from '@ant-design/icons/PlusOutlined'
import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Space from 'antd/es/space'
import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { formatDeviceRights } from '@iot/shared/contract/device/devicePermissions'
import { dataScopeText } from '@iot/shared/contract/access/role'
import { Role } from '@iot/shared/contract/access/role.schema'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { paths } from '@iot/shared/screens/paths'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { column } from '@iot/shared/ui/field'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { actionsColumn, Can, DisabledWithReason, RowName } from '@iot/shared/ui/right'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { RightSelect } from './rightFilter'

const RoleCompare = lazyDialog(() => import('./RoleCompare'))
const RoleForm = lazyDialog(() => import('./RoleForm'))

export default function RoleTab() {
  const { data, error, loading, refresh } = useRequest(() =>
    call(roleApi.list, {}, { inline: true }),
  )
  const [editing, setEditing, unsavedNotice] = useEditing<Role | 'new'>('role', '角色')
  const [isComparing, setComparing] = useState(false)
  const navigate = useNavigate()
  const remove = useRemoveRow(roleApi.remove, refresh)

  const {
    columns,
    size,
    scroll,
    chooser: columnChooser,
  } = useColumns<Role>(
    'role',
    [
      {
        ...column(Role, 'name'),
        width: 160,
        render: (name: string, role) => (
          <Space wrap>
            <RowName to={roleApi.update} name={name} onOpen={() => setEditing(role)} />
            {role.builtin && <Tag>内置</Tag>}
          </Space>
        ),
      },
      { ...column(Role, 'code'), width: 130, ellipsis: true },
      {
        ...column(Role, 'dataScope'),
        width: 140,
        render: (scope: Role['dataScope']) => dataScopeText[scope],
      },
      {
        ...column(Role, 'deviceRights'),
        width: 180,
        render: (rights: Role['deviceRights']) => formatDeviceRights(rights) || '—',
      },
      {
        ...column(Role, 'userCount'),
        width: 72,
        align: 'right',
        render: (count: number, { id, name }) => (
          <Link
            to={paths.enterprise.user({ roleId: id })}
            aria-label={`角色“${name}”的 ${count} 个用户`}
          >
            {count}
          </Link>
        ),
      },
      { ...column(Role, 'description'), width: 196, ellipsis: true },
      { ...column(Role, 'updateTime'), width: 150 },
      actionsColumn<Role>({
        api: roleApi,
        edit: setEditing,
        remove,
        unless: (role) => role.builtin && '内置角色不能删除',
      }),
    ],
    ['updateTime'],
  )

  return (
    <Flex vertical gap={16}>
      {unsavedNotice}
      <Flex justify="flex-end" gap={8} wrap>
        <RightSelect
          width={220}
          onChange={(permission) =>
            permission && void navigate(paths.enterprise.user({ permission }))
          }
        />
        {columnChooser}
        <DisabledWithReason why={(data?.length ?? 0) < 2 && '至少要有两个角色'}>
          <Button onClick={() => setComparing(true)}>对比角色</Button>
        </DisabledWithReason>
        <Can to={roleApi.create}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
            新建角色
          </Button>
        </Can>
      </Flex>
      {error && (
        <LoadErrorAlert why={error.message} hasRows={data !== undefined} onRetry={refresh} />
      )}
      <Table<Role>
        rowKey="id"
        size={size}
        columns={columns}
        dataSource={data ?? []}
        loading={{ spinning: loading, delay: data ? 300 : 0 }}
        pagination={false}
        locale={{
          emptyText: data ? '还没有角色，点“新建角色”添加' : <div style={{ height: 120 }} />,
        }}
        scroll={scroll}
      />
      {isComparing && <RoleCompare roles={data ?? []} onClose={() => setComparing(false)} />}
      {editing && (
        <RoleForm
          role={editing === 'new' ? undefined : editing}
          roles={(data ?? []).filter(({ id }) => editing === 'new' || id !== editing.id)}
          onSaved={refresh}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Flex>
  )
}
