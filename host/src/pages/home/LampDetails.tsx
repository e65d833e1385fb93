import Descriptions from 'antd/es/descriptions'
import { ledgerStateText } from '@iot/shared/contract/control/control'
import type { LedgerState } from '@iot/shared/contract/control/control.schema'
import type { DeviceCard, MapDevice } from '@iot/shared/contract/device/device.schema'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import { formatTimeParts } from '@iot/shared/plan/lights'

const secondPrecision = {
  ...({ month: '2-digit', day: '2-digit' } as const),
  ...({ hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
}

type LampDetailsProps = { light: MapDevice; card: DeviceCard }

/** Lists power, the last report, the last command and where the lamp belongs. */
export function LampDetails({ light, card }: LampDetailsProps) {
  const power = light.reported.ActivePower
  const lastCommand = card.last
  return (
    <Descriptions
      size="small"
      column={1}
      items={[
        {
          label: '功率',
          children:
            power !== undefined
              ? `${power} ${card.powerUnit}`
              : card.ratedPower !== null
                ? `额定 ${card.ratedPower} W（无计量）`
                : '未知',
        },
        {
          label: '最近上报',
          children: light.reportedTime
            ? formatTimeParts(light.reportedTime, secondPrecision)
            : '从未上报',
        },
        {
          label: '最近命令',
          children: lastCommand ? (
            <span>
              {formatTimeParts(lastCommand.time, secondPrecision)} {lastCommand.createByName}：
              {lastCommand.title}，{ledgerStateText[lastCommand.state as LedgerState]}
              {lastCommand.reason && `（${lastCommand.reason}）`}
            </span>
          ) : (
            '无'
          ),
        },
        { label: '产品', children: card.productName },
        ...(card.gateway
          ? [
              {
                label: '网关',
                children: `${card.gateway.name}（${deviceStateText[card.gateway.state]}）`,
              },
            ]
          : []),
      ]}
    />
  )
}
