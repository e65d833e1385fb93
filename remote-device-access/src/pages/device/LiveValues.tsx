import Alert from 'antd/es/alert'
import Badge from 'antd/es/badge'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import Typography from 'antd/es/typography'
import type { TableColumnsType } from 'antd'
import { useAtomValue } from 'jotai'
import { useMemo, useState } from 'react'
import { findWidget } from '@iot/shared/contract/product/controlType'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import type { DeviceLive } from '@iot/shared/contract/device/deviceLive.schema'
import { deprecatedText, isOffered } from '@iot/shared/contract/thingModel/deprecation'
import type { Property } from '@iot/shared/contract/thingModel/thingModel.schema'
import { isComposite } from '@iot/shared/contract/thingModel/thingValue'
import { inFlightText, selectInFlightState } from '@iot/shared/session/outgoing'
import { formatValue } from '@iot/shared/ui/field'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'
import { isColour } from '../thingModel/colour'
import { PropertyControl } from './PropertyControl'
import { formatDeviceValue } from './formatDeviceValue'
import { usePropertySetter } from './usePropertySetter'

const ColourControl = lazyPart(() => import('./ColourControl'))
const CompositeValueForm = lazyDialog(() => import('./CompositeValueForm'))

type LiveValuesProps = {
  device: ManagedDevice
  live: DeviceLive
  refresh: () => Promise<unknown>
}
type Row = { identifier: string; name: string; property?: Property }

const controlRefusals = {
  inactive: '设备还没有连接过，不能控制',
  online: undefined,
  offline: '设备离线，不能控制',
  disabled: '设备已禁用，不能控制',
}

/** Shows reported values beside desired ones; a desired value is never shown as the state. */
export function LiveValues({ device, live, refresh }: LiveValuesProps) {
  const outgoingState = useAtomValue(useMemo(() => selectInFlightState(device.id), [device.id]))
  const { pendingValues, sendValues, confirmAndSend } = usePropertySetter(device, refresh)
  const [openProperty, setOpenProperty] = useState<Property>()
  const desiredValues: Values = { ...pendingValues, ...live.desired }
  const describeDesired = ({ identifier, property }: Row) => {
    const text = formatDeviceValue(property?.dataType, desiredValues[identifier])
    const sendState = identifier in pendingValues ? outgoingState : undefined
    return `${text}，${sendState ? inFlightText[sendState] : '等待确认'}`
  }

  const columns: TableColumnsType<Row> = [
    {
      title: '属性',
      dataIndex: 'name',
      width: 168,
      render: (name: string, { identifier, property }) => (
        <Flex vertical>
          <span>
            {name} {property?.isDeprecated && <Tag>{deprecatedText}</Tag>}
          </span>
          {name !== identifier && <MutedText>{identifier}</MutedText>}
        </Flex>
      ),
    },
    { title: '上报值', width: 160, render: (_, row) => <ReportedValue row={row} live={live} /> },
    {
      title: '设置',
      width: 260,
      render: (_, row) => (
        <ValueControl
          row={row}
          live={live}
          desiredValues={desiredValues}
          onSet={confirmAndSend}
          onOpen={setOpenProperty}
        />
      ),
    },
    {
      title: '期望值',
      width: 200,
      render: (_, row) =>
        row.identifier in desiredValues ? (
          <Badge status="processing" text={describeDesired(row)} />
        ) : (
          formatValue(undefined)
        ),
    },
    {
      title: live.clockOffsetMs === null ? '设备时间' : '平台时间（时钟不准）',
      width: 180,
      render: (_, { identifier }) => {
        const reportedAtMs = live.reportedAt[identifier]
        return reportedAtMs === undefined
          ? formatValue(undefined)
          : formatValue(new Date(reportedAtMs).toISOString())
      },
    },
  ]

  return (
    <>
      <DroppedReports live={live} />
      <Table<Row>
        rowKey="identifier"
        size="middle"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={listRows(live)}
        locale={{
          emptyText: (
            <Empty
              image={Empty.PRESENTED_IMAGE_SIMPLE}
              description="产品没有定义属性，设备也没有上报过"
            />
          ),
        }}
        columns={columns}
      />
      {openProperty && (
        <CompositeValueForm
          property={openProperty}
          reported={live.reported[openProperty.identifier]}
          isProtected={device.protected}
          send={(value, { handles }) => sendValues({ [openProperty.identifier]: value }, handles)}
          onClose={() => setOpenProperty(undefined)}
        />
      )}
    </>
  )
}

const MutedText = ({ children }: { children: string }) => (
  <Typography.Text type="secondary" style={{ fontSize: 12 }}>
    {children}
  </Typography.Text>
)

function listRows({ model, reported }: DeviceLive): Row[] {
  const declaredIdentifiers = new Set(model.properties.map(({ identifier }) => identifier))
  return [
    ...model.properties.map((property) => ({ ...property, property })),
    ...Object.keys(reported)
      .filter((identifier) => !declaredIdentifiers.has(identifier))
      .map((identifier) => ({ identifier, name: identifier })),
  ]
}

type ReportedValueProps = { row: Row; live: DeviceLive }

function ReportedValue({
  row: { identifier, property },
  live: { reported, stale },
}: ReportedValueProps) {
  if (property?.accessMode === 'w') return <MutedText>只写，不上报</MutedText>
  if (!(identifier in reported)) return <MutedText>未知</MutedText>
  const text = formatDeviceValue(property?.dataType, reported[identifier])
  return identifier in stale ? (
    <Flex vertical>
      {text}
      <MutedText>断线前的值</MutedText>
    </Flex>
  ) : (
    text
  )
}

type ValueControlProps = {
  row: Row
  live: DeviceLive
  desiredValues: Values
  onSet: (property: Property, value: number | string) => void
  onOpen: (property: Property) => void
}

function ValueControl({
  row: { identifier, property },
  live: { controls, state, reported },
  desiredValues,
  onSet,
  onOpen,
}: ValueControlProps) {
  if (!property) return <MutedText>不在功能定义里</MutedText>
  const widget = findWidget(property, controls)
  if (property.accessMode === 'r' || widget === 'value') return <MutedText>只读</MutedText>
  if (!isOffered(property)) return <MutedText>{`${deprecatedText}，不再设置`}</MutedText>
  return (
    <Can to={devicePermissions.control} unless={controlRefusals[state]}>
      {isColour(property.dataType) ? (
        <ColourControl
          label={`设置${property.name}`}
          value={desiredValues[identifier] ?? reported[identifier]}
          disabled={identifier in desiredValues}
          onSet={(value) => onSet(property, value)}
        />
      ) : isComposite(property.dataType) ? (
        <Button
          size="small"
          aria-label={`设置${property.name}…`}
          disabled={identifier in desiredValues}
          onClick={() => onOpen(property)}
        >
          设置…
        </Button>
      ) : (
        <PropertyControl
          property={property}
          widget={widget}
          reported={reported[identifier]}
          desiredValue={desiredValues[identifier]}
          onSet={(value) => onSet(property, value)}
        />
      )}
    </Can>
  )
}

function DroppedReports({ live: { model, dropped } }: { live: DeviceLive }) {
  const droppedValues = Object.entries(dropped)
  const findPropertyName = (identifier: string) =>
    model.properties.find((property) => property.identifier === identifier)?.name ?? identifier
  return (
    droppedValues.length > 0 && (
      <Alert
        type="warning"
        showIcon
        style={{ marginBottom: 12 }}
        title={`有 ${droppedValues.length} 项上报没有采用`}
        description={droppedValues.map(([identifier, { reason, time }]) => (
          <div key={identifier}>
            {findPropertyName(identifier)}：{reason}（{formatValue(time)}）
          </div>
        ))}
      />
    )
  )
}
