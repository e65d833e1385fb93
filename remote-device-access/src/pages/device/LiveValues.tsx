import { Alert, App, Badge, Button, Empty, Flex, Table, Typography } from 'antd'
import { useAtomValue } from 'jotai'
import { useMemo, useState } from 'react'
import { newPress } from '@iot/shared/client/call'
import { widgetOf } from '@iot/shared/contract/controlType'
import type { Values } from '@iot/shared/contract/device'
import { rights } from '@iot/shared/contract/homeRights'
import type { DeviceLive, ManagedDevice } from '@iot/shared/contract/managedDevice'
import type { Property } from '@iot/shared/contract/thingModel'
import { isWhole } from '@iot/shared/contract/thingValue'
import { useTasks } from '@iot/shared/control/useTasks'
import { outgoingText, selectOutgoing } from '@iot/shared/session/outgoing'
import { quietly } from '@iot/shared/ui/batch'
import { shown } from '@iot/shared/ui/field'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Right } from '@iot/shared/ui/right'
import { isColour } from '../thingModel/colour'
import { PropertyControl } from './PropertyControl'
import { valueText } from './valueText'

const ColourControl = lazyPart(() => import('./ColourControl'))
const WholeForm = lazyPart(() => import('./WholeForm'))

type LiveValuesProps = {
  device: ManagedDevice
  live: DeviceLive
  refresh: () => Promise<unknown>
}
type Row = { identifier: string; name: string; property?: Property }

const why = {
  inactive: '设备还没有连接过，不能控制',
  online: undefined,
  offline: '设备离线，不能控制',
  disabled: '设备已禁用，不能控制',
}

/** Shows reported values beside desired ones; a desired value is never shown as the state. */
export function LiveValues({ device, live, refresh }: LiveValuesProps) {
  const { modal } = App.useApp()
  const { start } = useTasks(device.projectId)
  const outgoing = useAtomValue(useMemo(() => selectOutgoing(device.id), [device.id]))
  const [asked, setAsked] = useState<Values>({})
  const [opened, setOpened] = useState<Property>()
  const { model, controls, state, reported, reportedAt, stale } = live
  const wished: Values = { ...asked, ...live.desired }
  const declared = new Set(model.properties.map(({ identifier }) => identifier))
  const rows: Row[] = [
    ...model.properties.map((property) => ({ ...property, property })),
    ...Object.keys(reported)
      .filter((identifier) => !declared.has(identifier))
      .map((identifier) => ({ identifier, name: identifier })),
  ]

  async function set(values: Values, handles?: number[]) {
    setAsked((before) => ({ ...before, ...values }))
    const { id, name, projectId } = device
    const scope = { kind: 'devices' as const, deviceIds: [id] }
    const request = { kind: 'set' as const, projectId, scope, values }
    try {
      await start(request, { kind: 'single', name }, newPress(), handles)
      await refresh()
    } finally {
      setAsked((before) =>
        Object.fromEntries(Object.entries(before).filter(([name]) => !(name in values))),
      )
    }
  }
  const ask = (property: Property, value: number | string) =>
    device.protected
      ? void modal.confirm({
          title: `设置受保护的设备？`,
          content: `${device.name}属于应急或疏散回路，批量操作不会动它。确定要单独设置${property.name}吗？`,
          okText: '设置',
          onOk: () => set({ [property.identifier]: value }).catch(quietly),
        })
      : void set({ [property.identifier]: value }).catch(quietly)

  const current = ({ identifier, property }: Row) => {
    if (property?.accessMode === 'w') return <Muted>只写，不上报</Muted>
    if (!(identifier in reported)) return <Muted>未知</Muted>
    const text = valueText(property?.dataType, reported[identifier])
    return identifier in stale ? (
      <Flex vertical>
        {text}
        <Muted>断线前的值</Muted>
      </Flex>
    ) : (
      text
    )
  }
  const control = ({ identifier, property }: Row) => {
    if (!property) return <Muted>不在功能定义里</Muted>
    const widget = widgetOf(property, controls)
    if (property.accessMode === 'r' || widget === 'value') return <Muted>只读</Muted>
    return (
      <Right to={rights.control} unless={why[state]}>
        {isColour(property.dataType) ? (
          <ColourControl
            label={`设置${property.name}`}
            value={wished[identifier] ?? reported[identifier]}
            disabled={identifier in wished}
            onSet={(value) => ask(property, value)}
          />
        ) : isWhole(property.dataType) ? (
          <Button
            size="small"
            aria-label={`设置${property.name}…`}
            disabled={identifier in wished}
            onClick={() => setOpened(property)}
          >
            设置…
          </Button>
        ) : (
          <PropertyControl
            property={property}
            widget={widget}
            reported={reported[identifier]}
            wished={wished[identifier]}
            onSet={(value) => ask(property, value)}
          />
        )}
      </Right>
    )
  }

  const table = (
    <Table<Row>
      rowKey="identifier"
      size="middle"
      pagination={false}
      scroll={{ x: 'max-content' }}
      dataSource={rows}
      locale={{
        emptyText: (
          <Empty
            image={Empty.PRESENTED_IMAGE_SIMPLE}
            description="产品没有定义属性，设备也没有上报过"
          />
        ),
      }}
      columns={[
        {
          title: '属性',
          dataIndex: 'name',
          width: 168,
          render: (name: string, { identifier }) => (
            <Flex vertical>
              {name}
              {name !== identifier && <Muted>{identifier}</Muted>}
            </Flex>
          ),
        },
        { title: '上报值', width: 160, render: (_, row) => current(row) },
        { title: '设置', width: 260, render: (_, row) => control(row) },
        {
          title: '期望值',
          width: 200,
          render: (_, { identifier, property }) =>
            identifier in wished ? (
              <Badge
                status="processing"
                text={`${valueText(property?.dataType, wished[identifier])}，${identifier in asked && outgoing ? outgoingText[outgoing] : '等待确认'}`}
              />
            ) : (
              shown(undefined)
            ),
        },
        {
          title: live.clockOffsetMs === null ? '设备时间' : '平台时间（时钟不准）',
          width: 180,
          render: (_, { identifier }) => {
            const at = reportedAt[identifier]
            return at === undefined ? shown(undefined) : shown(new Date(at).toISOString())
          },
        },
      ]}
    />
  )
  const droppedValues = Object.entries(live.dropped)
  const findPropertyName = (identifier: string) =>
    model.properties.find((one) => one.identifier === identifier)?.name ?? identifier
  return (
    <>
      {droppedValues.length > 0 && (
        <Alert
          type="warning"
          showIcon
          style={{ marginBottom: 12 }}
          title={`有 ${droppedValues.length} 项上报没有采用`}
          description={droppedValues.map(([identifier, { reason, time }]) => (
            <div key={identifier}>
              {findPropertyName(identifier)}：{reason}（{shown(time)}）
            </div>
          ))}
        />
      )}
      {table}
      {opened && (
        <WholeForm
          property={opened}
          reported={reported[opened.identifier]}
          isProtected={device.protected}
          send={(value, { handles }) => set({ [opened.identifier]: value }, handles)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

const Muted = ({ children }: { children: string }) => (
  <Typography.Text type="secondary" style={{ fontSize: 12 }}>
    {children}
  </Typography.Text>
)
