CREATE TABLE "edge_host" (
	"project_id" integer NOT NULL,
	"device_id" uuid NOT NULL,
	"heartbeat_interval" integer DEFAULT 60 NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"config_version" integer DEFAULT 0 NOT NULL,
	"config_by" text DEFAULT '' NOT NULL,
	"config_time" timestamp with time zone,
	"push_time" timestamp with time zone,
	"push_failure" text DEFAULT '' NOT NULL,
	"replaced_by" uuid,
	CONSTRAINT "edge_host_project_id_device_id_pk" PRIMARY KEY("project_id","device_id")
);
--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "secrets" jsonb;--> statement-breakpoint
ALTER TABLE "edge_host" ADD CONSTRAINT "edge_host_device" FOREIGN KEY ("project_id","device_id") REFERENCES "public"."device"("project_id","id") ON DELETE cascade ON UPDATE no action;