CREATE TABLE "device_call" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" integer NOT NULL,
	"device_id" uuid NOT NULL,
	"identifier" text NOT NULL,
	"title" text NOT NULL,
	"params" jsonb NOT NULL,
	"state" text NOT NULL,
	"reason" text NOT NULL,
	"route" jsonb NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"done_time" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "control_ledger" ADD COLUMN "route" jsonb;--> statement-breakpoint
ALTER TABLE "device_call" ADD CONSTRAINT "device_call_device" FOREIGN KEY ("project_id","device_id") REFERENCES "public"."device"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_call_newest" ON "device_call" USING btree ("project_id","device_id","id");