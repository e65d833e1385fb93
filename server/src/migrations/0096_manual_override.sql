CREATE TABLE "manual_override" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" integer NOT NULL,
	"space_id" uuid,
	"device_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"end_by" text,
	"end_time" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "manual_override_open" ON "manual_override" USING btree ("project_id","until") WHERE "manual_override"."end_time" is null;