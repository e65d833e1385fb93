import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import Radio from 'antd/es/radio'
import { call } from '@iot/shared/client/call'
import { DeviceState } from '@iot/shared/contract/device/device.schema'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import { toRowOptions } from '@iot/shared/contract/options'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { cardKinds, type CardConfig } from '@iot/shared/contract/project/viewCard.schema'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { field } from '@iot/shared/ui/field'
import { Select } from '@iot/shared/ui/select'
import { buildSelectProps } from '@iot/shared/ui/useListed'
import { ScopeSelect } from '../ScopeSelect'
import type { Groups } from '../useGroups'

type CardFieldsProps = {
  kind: CardConfig['kind']
  projectId: number
  tree: SpaceTree
  groups: Groups
}

/** Renders the form fields of a card kind, apart from the title. */
export function CardFields({ kind, projectId, tree, groups }: CardFieldsProps) {
  switch (kind) {
    case 'actions':
    case 'problems':
      return <CardScopeField tree={tree} groups={groups} />
    case 'plan':
      return (
        <Form.Item {...field(cardKinds.plan, 'spaceId')}>
          <Select
            placeholder="请选择楼层"
            showSearch={{ optionFilterProp: 'label' }}
            {...buildSelectProps(
              tree.floorsOf().map(({ id }) => ({ value: id, label: tree.nameOf(id) })),
            )}
          />
        </Form.Item>
      )
    case 'scenes':
      return <ScenesField projectId={projectId} />
    case 'devices':
      return (
        <>
          <CardScopeField tree={tree} groups={groups} />
          <Form.Item {...field(cardKinds.devices, 'state')} required={false} rules={[]}>
            <Radio.Group
              options={[
                { value: null, label: '全部' },
                ...DeviceState.options.map((value) => ({ value, label: deviceStateText[value] })),
              ]}
            />
          </Form.Item>
        </>
      )
    case 'stats':
      return (
        <>
          <Form.Item {...field(cardKinds.stats, 'by')}>
            <Radio.Group
              options={[
                { value: 'lights', label: '灯：开、关、离线' },
                { value: 'types', label: '设备：按类型和状态' },
              ]}
            />
          </Form.Item>
          <CardScopeField tree={tree} groups={groups} />
        </>
      )
    case 'note':
      return (
        <Form.Item {...field(cardKinds.note, 'text')}>
          <Input.TextArea rows={6} count={{ show: true, max: 2000 }} placeholder="请输入备注内容" />
        </Form.Item>
      )
    case 'energy':
    case 'recent':
    case 'shift':
      return null
  }
}

/** Selects the scope of a card: the project, a building, a floor, a room or a group. */
const CardScopeField = ({ tree, groups }: Pick<CardFieldsProps, 'tree' | 'groups'>) => (
  <Form.Item
    name="scope"
    label="范围"
    extra={
      groups.error && (
        <>
          没有读到设备组：{groups.error.message}
          <Button type="link" size="small" onClick={groups.refresh}>
            重试
          </Button>
        </>
      )
    }
  >
    <ScopeSelect spaces={tree} groups={groups.data} />
  </Form.Item>
)
function ScenesField({ projectId }: { projectId: number }) {
  const { data, error } = useRequest(() =>
    call(sceneApi.page, { pageNo: 1, pageSize: 999, projectId }, { quiet: true }),
  )
  return (
    <Form.Item
      {...field(cardKinds.scenes, 'sceneIds')}
      required={false}
      extra={error && `没有读到场景：${error.message}`}
    >
      <Select
        mode="multiple"
        placeholder="全部场景"
        loading={!data && !error}
        showSearch={{ optionFilterProp: 'label' }}
        {...buildSelectProps(toRowOptions(data?.list))}
      />
    </Form.Item>
  )
}
