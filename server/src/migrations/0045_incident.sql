CREATE TABLE "incident" (
	"id" uuid NOT NULL,
	"project_id" integer NOT NULL,
	"device_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"identifier" text NOT NULL,
	"text" text NOT NULL,
	"count" integer NOT NULL,
	"first_time" timestamp with time zone NOT NULL,
	"last_time" timestamp with time zone NOT NULL,
	"end_time" timestamp with time zone,
	"task_ids" uuid[] DEFAULT '{}' NOT NULL,
	"acknowledged_by" text DEFAULT '' NOT NULL,
	"acknowledged_time" timestamp with time zone,
	"notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "incident_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
ALTER TABLE "incident" ADD CONSTRAINT "incident_device" FOREIGN KEY ("project_id","device_id") REFERENCES "public"."device"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "incident_open" ON "incident" USING btree ("project_id","device_id","kind","identifier") WHERE "incident"."acknowledged_time" is null;--> statement-breakpoint
CREATE INDEX "incident_standing" ON "incident" USING btree ("project_id","device_id","kind") WHERE "incident"."end_time" is null;--> statement-breakpoint
CREATE INDEX "incident_project" ON "incident" USING btree ("project_id","last_time");--> statement-breakpoint
CREATE INDEX "incident_time" ON "incident" USING btree ("last_time");