import useRequest from 'ahooks/es/useRequest'
import Checkbox from 'antd/es/checkbox'
import Drawer from 'antd/es/drawer'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { getFieldTitle } from '@iot/shared/contract/fieldTitle'
import { toRowOptions } from '@iot/shared/contract/options'
import { dataScopeText } from '@iot/shared/contract/access/role'
import { RightGrant, type Role } from '@iot/shared/contract/access/role.schema'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { Select } from '@iot/shared/ui/select'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'
import { compareRights, type RightDifference } from './rights'

type RoleCompareProps = { roles: Role[]; onClose: () => void }
const signTexts = { '＋': '多出', '－': '缺少', '＝': '相同' } as const

/** Shows what the second role has more (＋) and less (－) than the first. */
export default function RoleCompare({ roles, onClose }: RoleCompareProps) {
  const { data, error, loading, refresh } = useRequest(() =>
    call(roleApi.rights, {}, { inline: true }),
  )
  const [ids, setIds] = useState([roles[0]?.id ?? '', roles[1]?.id ?? ''] as const)
  const [isEverythingShown, setEverythingShown] = useState(false)
  const [first, second] = ids.map((id) => roles.find((role) => role.id === id))
  const rows = data ? compareRights(data, ...ids) : []
  const countRows = (sign: RightDifference['sign']) =>
    rows.filter((row) => row.sign === sign).length

  return (
    <Drawer open title="对比角色" size={720} onClose={onClose}>
      <Flex vertical gap={12}>
        <Flex gap={8} align="center" wrap>
          {ids.map((id, index) => (
            <Select
              key={index}
              aria-label={index === 0 ? '第一个角色' : '第二个角色'}
              style={{ width: 220 }}
              showSearch={{ optionFilterProp: 'label' }}
              options={toRowOptions(roles)}
              value={id}
              onChange={(chosenId) => setIds(index === 0 ? [chosenId, ids[1]] : [ids[0], chosenId])}
            />
          ))}
        </Flex>
        {first && second && (
          <Typography.Text>
            “{second.name}”比“{first.name}”多 {countRows('＋')} 项权限，少 {countRows('－')}{' '}
            项，相同 {countRows('＝')} 项；数据范围
            {first.dataScope === second.dataScope
              ? `相同：${dataScopeText[first.dataScope]}`
              : `：${dataScopeText[first.dataScope]} → ${dataScopeText[second.dataScope]}`}
          </Typography.Text>
        )}
        <Checkbox
          checked={isEverythingShown}
          onChange={({ target }) => setEverythingShown(target.checked)}
        >
          也显示相同的
        </Checkbox>
        {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
        <Table<RightDifference>
          size="small"
          rowKey="permission"
          loading={loading && !data}
          dataSource={rows.filter(({ sign }) => isEverythingShown || sign !== '＝')}
          pagination={{ defaultPageSize: 15, showSizeChanger: false, size: 'small' }}
          locale={buildEmptyLocale(data, '两个角色的权限相同')}
          columns={[
            {
              title: '差异',
              dataIndex: 'sign',
              width: 92,
              render: (sign: RightDifference['sign']) => `${sign} ${signTexts[sign]}`,
            },
            {
              title: getFieldTitle(RightGrant, 'place'),
              dataIndex: 'place',
              width: 260,
              ellipsis: true,
            },
            { title: getFieldTitle(RightGrant, 'name'), dataIndex: 'name', ellipsis: true },
          ]}
        />
      </Flex>
    </Drawer>
  )
}
