import { todayInPageZone } from '@iot/shared/client/zone'
import LeftOutlined from '@ant-design/icons/LeftOutlined'
import RightOutlined from '@ant-design/icons/RightOutlined'
import Button from 'antd/es/button'
import Space from 'antd/es/space'

/** The year in the zone of the page, whatever the zone of the computer. */
export const getCurrentYear = () => Number(todayInPageZone().slice(0, 4))

type YearStepperProps = { year: number; onChange: (year: number) => void }

/** A click on the year returns to the current year. */
export const YearStepper = ({ year, onChange }: YearStepperProps) => (
  <Space.Compact>
    <Button icon={<LeftOutlined />} aria-label="上一年" onClick={() => onChange(year - 1)} />
    <Button title="回到今年" onClick={() => onChange(getCurrentYear())}>
      {year} 年
    </Button>
    <Button icon={<RightOutlined />} aria-label="下一年" onClick={() => onChange(year + 1)} />
  </Space.Compact>
)
