CREATE TABLE "calendar" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"parent_id" uuid,
	"weekend_mode" text NOT NULL,
	"alternate_from" date,
	"description" text NOT NULL,
	"builtin" boolean DEFAULT false NOT NULL,
	CONSTRAINT "calendar_name_unique" UNIQUE("name"),
	CONSTRAINT "calendar_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "calendar_day" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"calendar_id" uuid NOT NULL,
	"date" date NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"is_off" boolean NOT NULL,
	"source" text NOT NULL,
	CONSTRAINT "calendar_day_date" UNIQUE("calendar_id","date")
);
--> statement-breakpoint
ALTER TABLE "calendar_day" ADD CONSTRAINT "calendar_day_calendar_id_calendar_id_fk" FOREIGN KEY ("calendar_id") REFERENCES "public"."calendar"("id") ON DELETE cascade ON UPDATE no action;